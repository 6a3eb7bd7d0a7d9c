// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension CodeBase {
    /// What a name means where it is used.
    enum Meaning {
        /// A parameter, or a variable of a function.
        case local(type: String?)
        case property(TypeFacts.Property, of: String)
        case global(TypeFacts.Property)
        case unknown
    }

    /// The simple name of an expression's type; nil where the code base does not tell.
    func type(of expression: ExprSyntax, depth: Int = 0) -> String? {
        guard depth < 12 else { return nil }
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference):
            return type(ofName: reference.baseName.text, at: expression, depth: depth)
        case .superExpr:
            return expression.enclosingType.flatMap { types[$0.name]?.declaration }?
                .inherited.first?.simpleName
        case .memberAccessExpr(let access):
            return type(ofMember: access, depth: depth)
        case .optionalChainingExpr(let inner): return type(of: inner.expression, depth: depth + 1)
        case .forceUnwrapExpr(let inner): return type(of: inner.expression, depth: depth + 1)
        case .tryExpr(let inner): return type(of: inner.expression, depth: depth + 1)
        case .awaitExpr(let inner): return type(of: inner.expression, depth: depth + 1)
        case .tupleExpr(let tuple):
            guard tuple.elements.count == 1, let inner = tuple.elements.first else { return nil }
            return type(of: inner.expression, depth: depth + 1)
        case .functionCallExpr(let call): return type(ofResult: call, depth: depth)
        case .sequenceExpr(let sequence):
            // One value or another: `state ?? AppState()`.
            let elements = Array(sequence.elements)
            guard elements.count == 3,
                elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
            else { return nil }
            return type(of: elements[0], depth: depth + 1)
                ?? type(of: elements[2], depth: depth + 1)
        default: return nil
        }
    }

    private func type(ofName name: String, at node: ExprSyntax, depth: Int) -> String? {
        if name == "self" || name == "Self" { return node.enclosingType?.name }
        switch meaning(of: name, at: Syntax(node), depth: depth) {
        case .local(let type): return type
        case .property(let property, _), .global(let property):
            return type(of: property.binding, depth: depth + 1)
        case .unknown:
            return name.first?.isUppercase == true ? name : nil
        }
    }

    private func type(ofMember access: MemberAccessExprSyntax, depth: Int) -> String? {
        let name = access.declName.baseName.text
        guard let base = access.base else { return nil }
        if name == "self" { return type(of: base, depth: depth + 1) }
        guard let owner = type(of: base, depth: depth + 1) else {
            // It is not known whose it is; but all properties of that name may be of one type.
            let candidates = properties[name] ?? []
            guard (1...4).contains(candidates.count) else { return nil }
            let names = Set(candidates.compactMap { type(of: $0.binding, depth: depth + 1) })
            return names.count == 1 ? names.first : nil
        }
        if let property = property(name, of: owner) {
            return type(of: property.binding, depth: depth + 1)
        }
        // A nested type, or something of a type that the code base does not know.
        if name.first?.isUppercase == true { return name }
        return ["main", "shared", "default", "standard", "current"].contains(name) ? owner : nil
    }

    private func type(ofResult call: FunctionCallExprSyntax, depth: Int) -> String? {
        if let name = call.constructedType { return aliasedName(name) }
        if let function = targets(of: call, depth: depth + 1).first?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause?.type.simpleName
        }
        let name = call.calleeName
        return name == "global" && call.calledExpression.description.contains("DispatchQueue")
            ? "DispatchQueue" : nil
    }

    /// What an alias stands for, if it stands for a type with a name.
    private func aliasedName(_ name: String) -> String {
        aliases[name]?.simpleName.map { $0 == name ? name : $0 } ?? name
    }

    /// The type that a binding says, or that its value has.
    func type(of binding: PatternBindingSyntax, depth: Int = 0) -> String? {
        if let type = binding.typeAnnotation?.type { return type.simpleName }
        return binding.initializer.flatMap { type(of: $0.value, depth: depth + 1) }
    }

    /// A property of a type, of one that it inherits, or of a protocol's extension.
    func property(_ name: String, of type: String) -> TypeFacts.Property? {
        if let own = types[type]?.properties[name] { return own }
        for parent in lineage(of: type).sorted() {
            if let property = types[parent]?.properties[name] { return property }
        }
        return nil
    }

    /// What a name means at a place: the nearest declaration, from the inside out.
    func meaning(of name: String, at place: Syntax, depth: Int = 0) -> Meaning {
        for ancestor in place.ancestors {
            if let items = ancestor.as(CodeBlockItemListSyntax.self),
                items.parent?.is(SourceFileSyntax.self) != true,
                let found = local(name, in: items, depth: depth)
            {
                return found
            }
            if let binding = ancestor.condition(naming: name), let value = binding.initializer {
                return .local(type: type(of: value.value, depth: depth + 1))
            }
            if let closure = ancestor.as(ClosureExprSyntax.self),
                closure.parameterNames.contains(name)
            {
                return .local(type: closure.parameterTypes[name]?.simpleName)
            }
            if let parameters = ancestor.parameterClause,
                let parameter = parameters.parameters.first(where: { $0.innerName == name })
            {
                return .local(type: parameter.type.simpleName)
            }
            if let group = ancestor.asProtocol((any DeclGroupSyntax).self),
                let type = TypeDeclaration(group)?.name, let property = property(name, of: type)
            {
                return .property(property, of: type)
            }
        }
        return globals[name].map(Meaning.global) ?? .unknown
    }

    private func local(
        _ name: String, in items: CodeBlockItemListSyntax, depth: Int
    ) -> Meaning? {
        for item in items {
            if let variable = item.item.as(VariableDeclSyntax.self),
                let property = variable.properties.first(where: { $0.0 == name })?.1
            {
                return .local(type: type(of: property.binding, depth: depth + 1))
            }
            if let guardStatement = item.item.as(GuardStmtSyntax.self),
                let binding = guardStatement.conditions.binding(naming: name),
                let value = binding.initializer
            {
                return .local(type: type(of: value.value, depth: depth + 1))
            }
        }
        return nil
    }
}

extension Syntax {
    /// The binding of a name among the conditions of an `if` or a `while`.
    fileprivate func condition(naming name: String) -> OptionalBindingConditionSyntax? {
        if let statement = self.as(IfExprSyntax.self) {
            return statement.conditions.binding(naming: name)
        }
        return self.as(WhileStmtSyntax.self)?.conditions.binding(naming: name)
    }

    /// The parameters of a function or an initializer.
    fileprivate var parameterClause: FunctionParameterClauseSyntax? {
        self.as(FunctionDeclSyntax.self)?.signature.parameterClause
            ?? self.as(InitializerDeclSyntax.self)?.signature.parameterClause
    }
}

extension ConditionElementListSyntax {
    fileprivate func binding(naming name: String) -> OptionalBindingConditionSyntax? {
        lazy.compactMap { $0.condition.as(OptionalBindingConditionSyntax.self) }
            .first { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name }
    }
}

extension FunctionParameterSyntax {
    /// The name under which the function's body knows it.
    var innerName: String { (secondName ?? firstName).text }
}

extension ClosureExprSyntax {
    /// The names of its parameters.
    var parameterNames: [String] {
        switch signature?.parameterClause {
        case .simpleInput(let list): list.map(\.name.text)
        case .parameterClause(let clause):
            clause.parameters.map { ($0.secondName ?? $0.firstName).text }
        case nil: []
        }
    }

    /// The types that it gives its parameters, by their names.
    var parameterTypes: [String: TypeSyntax] {
        guard case .parameterClause(let clause)? = signature?.parameterClause else { return [:] }
        return clause.parameters.reduce(into: [:]) { types, parameter in
            types[(parameter.secondName ?? parameter.firstName).text] = parameter.type
        }
    }
}
