// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let olderSubscribe = Rule(
        name: "older-subscribe", certainty: .differs,
        what: "a subscription with a selector, as before ReSwift 4",
        why: "The closure is handed a subscription, not the state, and returns one.",
        write: "Select from the subscription.",
        example: """
            store.subscribe(label) { $0.select { $0.counter } }
            """
    ) { file, codeBase in
        guard file.imports.contains("ReSwift") else { return [] }
        return file.outline.calls.filter { call in
            guard call.calleeName == "subscribe", call.base.map(codeBase.isStore) == true else {
                return false
            }
            if call.argument("selector") != nil { return true }
            guard let closure = call.allArguments.last?.value.as(ClosureExprSyntax.self) else {
                return false
            }
            return codeBase.takesState(closure)
        }.map { Place($0.place) }
    }
}

extension CodeBase {
    /// Whether a closure takes something of a state: `{ $0.counter }`, and not `{ $0.select { $0.counter } }`.
    fileprivate func takesState(_ closure: ClosureExprSyntax) -> Bool {
        let ofSubscriptions: Set = ["Subscription", "select", "skipRepeats", "skip", "only"]
        guard
            !closure.tokens(viewMode: .sourceAccurate)
                .contains(where: { ofSubscriptions.contains($0.text) })
        else { return false }
        let members = MemberFinder(of: closure).members
        let own = types["Subscription"]
        return !members.isEmpty
            && !members.contains { own?.properties[$0] != nil || own?.functions[$0] != nil }
    }
}

/// The members of a closure's parameter that it reads, and does not call.
///
/// What is called may be a method that an app, or another library, gives subscriptions.
private final class MemberFinder: SyntaxVisitor {
    private(set) var members: [String] = []
    private let parameter: String

    init(of closure: ClosureExprSyntax) {
        parameter = closure.parameterNames.first ?? "$0"
        super.init(viewMode: .sourceAccurate)
        walk(closure.statements)
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if node.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == parameter,
            node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id != ExprSyntax(node).id
        {
            members.append(node.declName.baseName.text)
        }
        return .visitChildren
    }

    /// `$0` is another one inside.
    override func visit(_: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        parameter == "$0" ? .skipChildren : .visitChildren
    }
}
