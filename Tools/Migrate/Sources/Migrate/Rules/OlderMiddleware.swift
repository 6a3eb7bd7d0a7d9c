// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let olderMiddleware = Rule(
        name: "older-middleware", certainty: .differs,
        what: "a middleware as before ReSwift 4",
        why: """
            A middleware has the type of the store's state, its dispatch function is always \
            there, and it returns nothing.
            """,
        write: """
            Give Middleware the type of the state, write () -> State? for GetState, and call dispatch \
            without a question mark.
            """,
        example: """
            let logger: Middleware<AppState> = { dispatch, getState in
                { next in
                    { action in
                        print(action)
                        next(action)
                    }
                }
            }
            """
    ) { file, codeBase in
        guard file.imports.contains("ReSwift") else { return [] }
        let types = file.outline.typeNames.filter { type in
            switch type.name.text {
            case "Middleware":
                type.genericArgumentClause == nil && !codeBase.declares("Middleware")
            case "GetState": !codeBase.declaresAnywhere("GetState")
            default: false
            }
        }.map { Place($0) }
        // An optional one of the app's own is called with a question mark, too; what a middleware is
        // handed has no type there.
        let calls = file.outline.calls.filter { call in
            call.calledExpression.is(OptionalChainingExprSyntax.self)
                && call.callee.is(DeclReferenceExprSyntax.self) && codeBase.isDispatch(call)
                && codeBase.isUntypedParameter("dispatch", at: Syntax(call))
        }.map { Place($0.place) }
        return types + calls
    }
}

extension CodeBase {
    /// Whether a name means, at a place, a parameter of a closure that does not say its type.
    fileprivate func isUntypedParameter(_ name: String, at place: Syntax) -> Bool {
        for ancestor in place.ancestors {
            if let closure = ancestor.as(ClosureExprSyntax.self) {
                if closure.parameterNames.contains(name) {
                    return closure.parameterTypes[name] == nil
                }
                // Unwrapped again, or another one.
                if closure.statements.contains(where: { $0.declares(name) }) { return false }
            }
            if ancestor.is(FunctionDeclSyntax.self) { return false }
        }
        return false
    }
}

extension CodeBlockItemSyntax {
    /// Whether a variable of that name is declared by it.
    fileprivate func declares(_ name: String) -> Bool {
        item.as(VariableDeclSyntax.self)?.properties.contains { $0.0 == name } ?? false
    }
}
