// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// The contents of a file by kind, each in the order of the text: one walk for all rules.
final class Outline: SyntaxVisitor {
    private(set) var imports: [ImportDeclSyntax] = []
    private(set) var types: [TypeDeclaration] = []
    private(set) var aliases: [TypeAliasDeclSyntax] = []
    private(set) var functions: [FunctionDeclSyntax] = []
    private(set) var closures: [ClosureExprSyntax] = []
    /// Variables and constants of files, not those of types and functions.
    private(set) var globals: [VariableDeclSyntax] = []
    private(set) var calls: [FunctionCallExprSyntax] = []
    private(set) var assignments: [Assignment] = []
    private(set) var references: [DeclReferenceExprSyntax] = []
    private(set) var typeNames: [IdentifierTypeSyntax] = []
    /// The names of generic parameters and associated types, wherever in the file they stand.
    private(set) var typeParameters: Set<String> = []

    init(of tree: SourceFileSyntax) {
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        imports.append(node)
        return .skipChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        aliases.append(node)
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        functions.append(node)
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        closures.append(node)
        return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.isOfFile { globals.append(node) }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        calls.append(node)
        return .visitChildren
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let assignment = Assignment(node) { assignments.append(assignment) }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        references.append(node)
        return .visitChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        typeNames.append(node)
        return .visitChildren
    }

    override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
        typeParameters.insert(node.name.text)
        return .visitChildren
    }

    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
        typeParameters.insert(node.name.text)
        return .visitChildren
    }

    private func add(_ node: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
        if let type = TypeDeclaration(node) { types.append(type) }
        return .visitChildren
    }
}
