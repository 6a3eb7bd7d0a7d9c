// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// What a piece of code does itself, in order; not what it leaves to be done later by closures that
/// it hands on, and by functions in it that it may not call.
final class Steps: SyntaxVisitor {
    private(set) var calls: [FunctionCallExprSyntax] = []
    private(set) var assignments: [Assignment] = []
    private(set) var accesses: [MemberAccessExprSyntax] = []
    private let codeBase: CodeBase

    /// The steps of the body of a function, a closure or an accessor, or of some statements.
    init(of code: Syntax, in codeBase: CodeBase) {
        self.codeBase = codeBase
        super.init(viewMode: .sourceAccurate)
        if let closure = code.as(ClosureExprSyntax.self) {
            walk(closure.statements)
        } else if let function = code.as(FunctionDeclSyntax.self) {
            if let body = function.body { walk(body) }
        } else {
            walk(code)
        }
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        calls.append(node)
        return .visitChildren
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let assignment = Assignment(node) { assignments.append(assignment) }
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        accesses.append(node)
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        codeBase.runsAtOnce(node) ? .visitChildren : .skipChildren
    }

    override func visit(_: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: ClassDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: StructDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_: EnumDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
