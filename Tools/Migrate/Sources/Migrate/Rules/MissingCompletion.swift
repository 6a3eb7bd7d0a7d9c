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
        file.outline.functions.filter { function in
            // A method without animated is one of the app's own, which no router calls.
            guard codeBase.isStep(function), function.takesAnimated, let body = function.body,
                !body.onlyTraps, let name = function.completion?.innerName
            else { return false }
            return !body.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
        }.map { Place($0.name) }
    }
}

extension CodeBase {
    /// Whether a function has the name of a step in something that a router walks.
    func isStep(_ function: FunctionDeclSyntax) -> Bool {
        let names: Set = [
            "push", "pop", "change", "pushRouteSegment", "popRouteSegment", "changeRouteSegment",
        ]
        return names.contains(function.name.text) && !declares("Routable")
            && function.enclosingType.map { lineage(of: $0.name).contains("Routable") } == true
    }
}

extension FunctionDeclSyntax {
    /// Whether a parameter is called `animated`, as in all steps of the router.
    var takesAnimated: Bool { parameter("animated") != nil }

    /// The parameter that takes what to call when a step is complete.
    var completion: FunctionParameterSyntax? {
        parameter("completionHandler") ?? parameter("completion")
    }

    private func parameter(_ label: String) -> FunctionParameterSyntax? {
        signature.parameterClause.parameters.first { $0.firstName.text == label }
    }
}

extension CodeBlockSyntax {
    /// Whether each way through it ends the program: nothing comes after such a step.
    fileprivate var onlyTraps: Bool {
        guard let last = statements.last?.item.as(FunctionCallExprSyntax.self),
            ["fatalError", "preconditionFailure"].contains(last.calleeName)
        else { return false }
        return !tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
    }
}
