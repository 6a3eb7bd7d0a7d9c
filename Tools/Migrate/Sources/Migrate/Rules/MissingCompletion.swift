// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let missingCompletion = Rule(
        name: "missing-completion", certainty: .look,
        what: "a step of the router does not use its completion handler",
        why: """
            The router waits for it without a time-out. A handler that is released without being \
            called counts as called at that moment, which may be before the step is seen.
            """,
        write: "Call it when the step is complete, or hand it on to what takes the step.",
        example: """
            struct Root: Routable {
                func push(
                    _ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion
                ) -> any Routable {
                    show(element, animated, whenShown: completion)
                    return Root()
                }
            }
            """
    ) { file, codeBase in
        let steps: Set = [
            "push", "pop", "change", "pushRouteSegment", "popRouteSegment", "changeRouteSegment",
        ]
        return file.outline.functions.filter { function in
            guard steps.contains(function.name.text), let body = function.body,
                let type = function.enclosingType,
                codeBase.lineage(of: type.name).contains("Routable"),
                let name = function.signature.parameterClause.parameters.first(where: {
                    ["completionHandler", "completion"].contains($0.firstName.text)
                })?.innerName
            else { return false }
            return !body.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
        }.map { Place($0.name) }
    }
}
