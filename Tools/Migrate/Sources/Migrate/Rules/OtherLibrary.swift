// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let otherLibrary = Rule(
        name: "other-library", certainty: .look,
        what: "a library that seems to be built on ReSwift",
        why: """
            It brings the original, a second module of the same name; its stores and actions are not \
            those of this app.
            """,
        write: """
            Take its source files into the app, where they compile against the module of Onward; for \
            recorders and time travel, attach to store.onward.
            """,
        example: """
            import Onward
            import ReSwift

            struct Lister: CommitObserver {
                typealias State = OnwardState<AppState>

                func observe(_ commit: Commit<State>) { print(commit.entry.action) }
            }
            """
    ) { file, codeBase in
        guard !file.isManifest else { return [] }
        let own = Set(
            codeBase.files.flatMap { $0.path.split(separator: "/").dropLast() }.map(String.init))
        return file.outline.imports.filter { node in
            let name = node.path.first?.name.text ?? ""
            return (name.contains("ReSwift") || name.hasPrefix("ReRxSwift"))
                && !Module.compatible.contains(name) && !own.contains(name)
        }.map { Place($0) }
    }
}
