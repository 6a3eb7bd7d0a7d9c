// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// `a = b`, `a += b` and the like.
struct Assignment {
    let node: SequenceExprSyntax
    let target: ExprSyntax

    /// Nil where the expression assigns nothing.
    init?(_ node: SequenceExprSyntax) {
        guard let target = node.elements.first,
            let sign = node.elements.dropFirst().first,
            sign.is(AssignmentExprSyntax.self) || Self.assigns(sign)
        else { return nil }
        self.node = node
        self.target = target
    }

    private static func assigns(_ sign: ExprSyntax) -> Bool {
        guard let text = sign.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
        return text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(text)
    }
}
