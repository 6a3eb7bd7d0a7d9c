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
            return closure.onlyReadsMembers
        }.map { Place($0.place) }
    }
}

extension ClosureExprSyntax {
    /// Whether it takes something of its parameter and calls nothing: `{ $0.counter }`.
    fileprivate var onlyReadsMembers: Bool {
        guard statements.count == 1, let statement = statements.first else { return false }
        let finder = CallFinder(viewMode: .sourceAccurate)
        finder.walk(statement)
        return !finder.foundCall && finder.foundMember
    }
}

private final class CallFinder: SyntaxVisitor {
    private(set) var foundCall = false
    private(set) var foundMember = false

    override func visit(_: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        foundCall = true
        return .skipChildren
    }

    override func visit(_: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        foundMember = true
        return .visitChildren
    }
}
