// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// What a code base says about a type, in its declaration and in all its extensions.
struct TypeFacts {
    /// The declaration; nil for a type from elsewhere that is extended.
    var declaration: TypeDeclaration?
    /// Whether other files may mean it by its name alone: it is neither nested nor private to a file.
    var isNamedByOthers = false
    var inherited: Set<String> = []
    var functions: [String: [FunctionDeclSyntax]] = [:]
    var properties: [String: Property] = [:]
    var initializers: [InitializerDeclSyntax] = []
    var subtypes: Set<String> = []
    /// Whether `@MainActor` stands at its declaration.
    var isOnMainActor = false

    /// A variable or a constant of a type or of a file.
    struct Property {
        let declaration: VariableDeclSyntax
        let binding: PatternBindingSyntax

        var isVariable: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.var) }
        var isStatic: Bool {
            declaration.modifiers.contains {
                $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
            }
        }
        /// Whether it keeps a value, rather than computing it.
        var isStored: Bool {
            guard let block = binding.accessorBlock else { return true }
            guard case .accessors(let accessors) = block.accessors else { return false }
            return accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
        /// What runs when it is set.
        var observers: [AccessorDeclSyntax] {
            guard isStored, case .accessors(let list)? = binding.accessorBlock?.accessors else {
                return []
            }
            return Array(list)
        }
    }

    mutating func add(_ type: TypeDeclaration) {
        if type.kind != .extension {
            declaration = type
            if type.isNamedByOthers { isNamedByOthers = true }
        }
        if type.isOnMainActor { isOnMainActor = true }
        inherited.formUnion(type.inherited.compactMap(\.simpleName))
        for function in type.functions {
            functions[function.name.text, default: []].append(function)
        }
        for (name, property) in type.variables.flatMap(\.properties) { properties[name] = property }
        initializers += type.node.memberBlock.members.compactMap {
            $0.decl.as(InitializerDeclSyntax.self)
        }
    }
}

extension VariableDeclSyntax {
    /// What it declares, by name.
    var properties: [(String, TypeFacts.Property)] {
        bindings.compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else {
                return nil
            }
            return (name, TypeFacts.Property(declaration: self, binding: binding))
        }
    }
}
