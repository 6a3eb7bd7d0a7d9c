// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let stateObserver = Rule(
        name: "state-observer", certainty: .differs,
        what: "a subclass of Store observes its state",
        why: """
            It is notified of assignments only: a reducer changes the state under the store's lock, \
            where no other code runs.
            """,
        write: "Attach an observer of the log.",
        example: """
            import Onward
            import ReduxSwift

            struct Watch: CommitObserver {
                typealias State = OnwardState<AppState>

                func observe(_ commit: Commit<State>) { print(commit.entry.version) }
            }

            func watch(_ store: ReduxSwift.Store<AppState>) -> Onward.Subscription {
                store.onward.log.attach(Watch())
            }
            """
    ) { file, codeBase in
        file.outline.types.filter { $0.kind == .class && codeBase.isStore($0.name) }
            .flatMap { $0.variables.flatMap(\.properties) }
            .filter { name, property in
                name == "state"
                    && property.declaration.modifiers.contains {
                        $0.name.tokenKind == .keyword(.override)
                    }
            }.map { Place($0.1.binding.pattern) }
    }
}
