// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let olderRouter = Rule(
        name: "older-router", certainty: .differs,
        what: "a router with a selector, as early versions had it",
        why: "The router is handed a subscription of the state, not the state.",
        write: "Write stateTransform, and select from the subscription.",
        example: """
            let router = Router(store: store, rootRoutable: root) { $0.select { $0.navigation } }
            """
    ) { file, codeBase in
        file.outline.calls.filter { call in
            call.constructedType == "Router" && !codeBase.declares("Router")
        }.compactMap { call in
            if let selector = call.arguments.first(where: { $0.label?.text == "stateSelector" }) {
                return Place(selector)
            }
            let transform =
                call.trailingClosure
                ?? call.argument("stateTransform")?.as(ClosureExprSyntax.self)
            // A subscription is always asked to select something.
            guard let transform,
                !transform.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "select" }
                )
            else { return nil }
            return Place(transform)
        }
    }
}
