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
        write: "Give Middleware the type of the state, and call dispatch without a question mark.",
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
            type.name.text == "Middleware" && type.genericArgumentClause == nil
                && !codeBase.declares("Middleware")
        }.map { Place($0) }
        let optionals = file.outline.typeNames.filter { type in
            type.name.text == "DispatchFunction" && type.parent?.is(OptionalTypeSyntax.self) == true
        }.map { Place($0) }
        let calls = file.outline.calls.filter { call in
            call.calledExpression.is(OptionalChainingExprSyntax.self)
                && call.callee.is(DeclReferenceExprSyntax.self) && codeBase.isDispatch(call)
        }.map { Place($0.place) }
        return types + optionals + calls
    }
}
