// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let stateAssignment = Rule(
        name: "state-assignment", certainty: .differs,
        what: "the state of a store is assigned",
        why: "States come from actions only, as in ReSwift 6: the log would not have this one.",
        write: "Dispatch an action that the reducer answers with the state.",
        example: """
            struct Restore: Action { let state: AppState }

            func restoring(_ reduce: @escaping Reducer<AppState>) -> Reducer<AppState> {
                { action, state in (action as? Restore)?.state ?? reduce(action, state) }
            }
            """
    ) { file, codeBase in
        guard !file.imports.contains("ReduxSwift") else { return [] }
        return file.outline.assignments.filter { assignment in
            var target: ExprSyntax? = assignment.target
            while let access = target?.as(MemberAccessExprSyntax.self), let base = access.base {
                if access.declName.baseName.text == "state", codeBase.isStore(base) { return true }
                target =
                    base.as(OptionalChainingExprSyntax.self)?.expression
                    ?? base.as(ForceUnwrapExprSyntax.self)?.expression ?? base
            }
            return false
        }.map { Place($0.target) }
    }
}
