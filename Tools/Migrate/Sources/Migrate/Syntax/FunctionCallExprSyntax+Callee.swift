// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension FunctionCallExprSyntax {
    /// What is called, without a question mark behind it.
    var callee: ExprSyntax {
        calledExpression.as(OptionalChainingExprSyntax.self)?.expression
            ?? calledExpression.as(ForceUnwrapExprSyntax.self)?.expression ?? calledExpression
    }

    /// The last name of what is called: `dispatch` of `app.store.dispatch(action)`.
    var calleeName: String? { callee.lastName }

    /// What the called function is a member of.
    var base: ExprSyntax? { callee.as(MemberAccessExprSyntax.self)?.base }

    /// Where the name of what is called stands.
    var place: Syntax {
        if let access = callee.as(MemberAccessExprSyntax.self) { return Syntax(access.declName) }
        return Syntax(callee)
    }

    /// The type of which the call makes a value, if it is written like that.
    var constructedType: String? {
        if let access = callee.as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == "init"
        {
            return access.base?.lastName
        }
        guard let name = calleeName, name.first?.isUppercase == true else { return nil }
        return name
    }

    /// All that is handed to the function, closures behind the parentheses as well.
    var allArguments: [(label: String?, value: ExprSyntax)] {
        arguments.map { ($0.label?.text, $0.expression) }
            + (trailingClosure.map { [(nil, ExprSyntax($0))] } ?? [])
            + additionalTrailingClosures.map { ($0.label.text, ExprSyntax($0.closure)) }
    }

    /// The argument with a label.
    func argument(_ label: String) -> ExprSyntax? {
        arguments.first { $0.label?.text == label }?.expression
    }
}

extension ExprSyntax {
    /// The last name of `a`, `b.a`, `b.a?`, `b.a!`, `a<T>` and `a()`.
    var lastName: String? {
        switch self.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference): reference.baseName.text
        case .memberAccessExpr(let access): access.declName.baseName.text
        case .optionalChainingExpr(let inner): inner.expression.lastName
        case .forceUnwrapExpr(let inner): inner.expression.lastName
        case .genericSpecializationExpr(let inner): inner.expression.lastName
        case .functionCallExpr(let call): call.calleeName
        case .tupleExpr(let tuple):
            tuple.elements.count == 1 ? tuple.elements.first?.expression.lastName : nil
        default: nil
        }
    }
}

extension ClosureExprSyntax {
    /// The call that the closure is handed to, and under which label.
    var receiver: (call: FunctionCallExprSyntax, label: String?)? {
        if let call = parent?.as(FunctionCallExprSyntax.self) {
            return call.trailingClosure?.id == id ? (call, nil) : nil
        }
        if let element = parent?.as(MultipleTrailingClosureElementSyntax.self) {
            return element.parent?.parent?.as(FunctionCallExprSyntax.self)
                .map { ($0, element.label.text) }
        }
        if let argument = parent?.as(LabeledExprSyntax.self) {
            return argument.parent?.parent?.as(FunctionCallExprSyntax.self)
                .map { ($0, argument.label?.text) }
        }
        return nil
    }

    /// Whether it is called where it is written.
    var isCalledInPlace: Bool {
        parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(self).id
    }

    /// Whether `@MainActor` stands before its parameters.
    var isOnMainActor: Bool { signature?.attributes.isMainActor ?? false }
}
