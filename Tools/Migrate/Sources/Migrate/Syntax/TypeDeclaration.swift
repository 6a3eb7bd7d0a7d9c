// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// A type, or an extension of one.
struct TypeDeclaration {
    enum Kind { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

    let node: any DeclGroupSyntax
    let kind: Kind
    let name: String
    /// Where it is named.
    let place: Syntax

    /// Nil for a node that is not a type.
    init?(_ node: any DeclGroupSyntax) {
        self.node = node
        switch node.kind {
        case .classDecl: kind = .class
        case .structDecl: kind = .struct
        case .enumDecl: kind = .enum
        case .actorDecl: kind = .actor
        case .protocolDecl: kind = .protocol
        default: kind = .extension
        }
        if let named = node.asProtocol((any NamedDeclSyntax).self) {
            name = named.name.text
            place = Syntax(named.name)
        } else if let type = node.as(ExtensionDeclSyntax.self)?.extendedType,
            let simple = type.simpleName
        {
            name = simple
            place = Syntax(type)
        } else {
            return nil
        }
    }

    /// What it says it inherits and conforms to.
    var inherited: [TypeSyntax] { node.inheritanceClause?.inheritedTypes.map(\.type) ?? [] }

    /// Whether it is bound to the main actor by an attribute of its own.
    var isOnMainActor: Bool { node.attributes.isMainActor }

    /// Whether other files may mean it by its name alone: it is neither nested nor private to a file.
    var isNamedByOthers: Bool { node.isOfFile && !node.modifiers.arePrivate }

    /// Its functions.
    var functions: [FunctionDeclSyntax] {
        node.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    }

    /// Its variables and constants.
    var variables: [VariableDeclSyntax] {
        node.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
    }
}

extension TypeSyntax {
    /// The name of a type without its module, its optionality and its arguments; nil where it has none.
    var simpleName: String? {
        switch self.as(TypeSyntaxEnum.self) {
        case .identifierType(let type): type.name.text
        case .memberType(let type): type.name.text
        case .optionalType(let type): type.wrappedType.simpleName
        case .implicitlyUnwrappedOptionalType(let type): type.wrappedType.simpleName
        case .attributedType(let type): type.baseType.simpleName
        case .someOrAnyType(let type): type.constraint.simpleName
        case .tupleType(let type):
            type.elements.count == 1 ? type.elements.first?.type.simpleName : nil
        default: nil
        }
    }

    /// The arguments of a generic type.
    var genericArguments: [TypeSyntax] {
        let clause =
            self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        return clause?.arguments.compactMap { TypeSyntax($0.argument) } ?? []
    }

    /// All names in the type: its own, and those of its arguments and elements.
    var allNames: [String] {
        tokens(viewMode: .sourceAccurate).compactMap { token in
            if case .identifier(let name) = token.tokenKind { name } else { nil }
        }
    }
}

extension SyntaxProtocol {
    /// Whether it stands in a file itself, and in nothing else.
    var isOfFile: Bool { parent?.parent?.parent?.is(SourceFileSyntax.self) == true }
}

extension DeclModifierListSyntax {
    /// Whether `private` or `fileprivate` is among the modifiers.
    var arePrivate: Bool {
        contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
    }
}

extension AttributeListSyntax {
    /// Whether `@MainActor` is among the attributes.
    var isMainActor: Bool {
        contains { $0.as(AttributeSyntax.self)?.attributeName.simpleName == "MainActor" }
    }
}
