// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let olderRouter = Rule(
        name: "older-router", certainty: .differs,
        what: "a router as early versions had it",
        why: """
            The router is handed a subscription of the state, not the state; and a step without \
            animated is no step: nothing calls it.
            """,
        write: """
            Write stateTransform, and select from the subscription; give steps the labels of \
            Routable.
            """,
        example: """
            let router = Router(store: store, rootRoutable: root) { $0.select { $0.navigation } }
            """
    ) { file, codeBase in
        let routers: [Place] = file.outline.calls.filter { call in
            call.constructedType == "Router" && !codeBase.declares("Router")
        }.compactMap { call in
            if let selector = call.arguments.first(where: { $0.label?.text == "stateSelector" }) {
                return Place(selector, "with a selector")
            }
            let transform =
                call.trailingClosure
                ?? call.argument("stateTransform")?.as(ClosureExprSyntax.self)
            // A subscription is always asked to select something.
            guard let transform,
                !transform.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "select" }
                )
            else { return nil }
            return Place(transform, "with a selector")
        }
        return routers
            + codeBase.earlySteps(in: file).map { Place($0.name, "by a step without animated") }
    }
}

extension CodeBase {
    /// Steps as they were before routers were told whether to animate.
    ///
    /// None where some steps have the parameter: then those without are methods of the app's own.
    fileprivate func earlySteps(in file: SourceFile) -> [FunctionDeclSyntax] {
        let steps = files.flatMap(\.outline.functions)
            .filter { isStep($0) && $0.completion != nil }
        guard !steps.contains(where: \.takesAnimated) else { return [] }
        return file.outline.functions.filter { function in
            steps.contains { $0.id == function.id }
        }
    }
}
