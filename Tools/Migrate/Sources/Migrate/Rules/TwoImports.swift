// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let twoImports = Rule(
        name: "two-imports", certainty: .differs,
        what: "a file imports Onward as well",
        why: """
            Both modules have an Action, a Store, a Middleware and a Subscription, and the compiler \
            does not choose.
            """,
        write: "Write the module before such a name, where the compiler finds it ambiguous.",
        example: """
            import Onward
            import ReSwift

            struct Deposit: ReSwift.Action { let amount: Int }
            """
    ) { file, _ in
        guard file.imports.contains("ReSwift") || file.imports.contains("ReduxSwift") else {
            return []
        }
        return file.outline.imports
            .filter { $0.importKindSpecifier == nil && $0.path.trimmedDescription == "Onward" }
            .map { Place($0) }
    }
}
