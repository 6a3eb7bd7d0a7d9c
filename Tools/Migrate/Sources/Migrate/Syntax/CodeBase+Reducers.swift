// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension CodeBase {
    /// Functions and closures that make a state from a state and an action.
    struct Reducers {
        fileprivate(set) var bodies: [Syntax] = []
        fileprivate(set) var ids: Set<SyntaxIdentifier> = []
        /// The names of the states that they make.
        fileprivate(set) var states: Set<String> = []

        fileprivate mutating func add(_ body: Syntax, of states: [String]) {
            guard ids.insert(body.id).inserted else { return }
            bodies.append(body)
            self.states.formUnion(states)
        }
    }

    /// The reducers of a file.
    func reducerBodies(in file: SourceFile) -> [Syntax] {
        (file.outline.functions.map(Syntax.init) + file.outline.closures.map(Syntax.init))
            .filter(isReducer)
    }

    /// Whether a function or a closure is a reducer.
    func isReducer(_ body: Syntax) -> Bool { reducers.ids.contains(body.id) }

    func findReducers() -> Reducers {
        var found = Reducers()
        for file in files {
            for function in file.outline.functions {
                let parameters = function.signature.parameterClause.parameters
                let result = function.signature.returnClause?.type
                // Where an action is of a type that says so, or at least a parameter is called one.
                let action = parameters.firstIndex { $0.innerName == "action" }
                    .map { parameters.distance(from: parameters.startIndex, to: $0) }
                let isNamed = parameters.contains { $0.innerName == "state" }
                if let state = reducedState(
                    parameters.map(\.type), result, action: isNamed ? action : nil)
                {
                    found.add(Syntax(function), of: state)
                }
            }
            for closure in file.outline.closures {
                if let states = reducedState(closure, in: file) {
                    found.add(Syntax(closure), of: states)
                }
            }
        }
        return found
    }

    /// The names of the state that a closure reduces; nil where it is not a reducer.
    private func reducedState(_ closure: ClosureExprSyntax, in file: SourceFile) -> [String]? {
        let types = closure.parameterNames.compactMap { closure.parameterTypes[$0] }
        if let state = reducedState(types, closure.signature?.returnClause?.type) { return state }
        if let receiver = closure.receiver, receiver.label == "reducer",
            receiver.call.constructedType.map({ isStore($0) || $0.hasSuffix("Store") }) ?? true
        {
            return []
        }
        return expectedType(of: closure).flatMap(reducedState)
    }

    /// The type that is said of the variable, or the function's result, that a closure becomes.
    private func expectedType(of closure: ClosureExprSyntax) -> TypeSyntax? {
        if let binding = closure.parent?.parent?.as(PatternBindingSyntax.self) {
            return binding.typeAnnotation?.type
        }
        let statement =
            closure.parent?.as(ReturnStmtSyntax.self).map(Syntax.init) ?? Syntax(closure)
        guard statement.parent?.is(CodeBlockItemSyntax.self) == true,
            let block = statement.parent?.parent?.parent
        else { return nil }
        if let function = block.parent?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause?.type
        }
        // A computed property: the list of its statements stands in the block itself.
        return statement.parent?.parent?.parent?.parent?.as(PatternBindingSyntax.self)?
            .typeAnnotation?.type
    }

    /// The names of the state of a type that reducers have.
    private func reducedState(_ type: TypeSyntax) -> [String]? {
        if let function = type.as(FunctionTypeSyntax.self) {
            return reducedState(function.parameters.map(\.type), function.returnClause.type)
        }
        if let attributed = type.as(AttributedTypeSyntax.self) {
            return reducedState(attributed.baseType)
        }
        guard let name = type.simpleName else { return nil }
        if let alias = aliases[name] { return alias.simpleName == name ? nil : reducedState(alias) }
        return name == "Reducer" && !type.genericArguments.isEmpty
            ? type.genericArguments.flatMap(\.allNames) : nil
    }

    /// The names of the state, if parameters and a result are those of a reducer: an action and a
    /// state, in any order, of which a state is made or that is changed in place.
    private func reducedState(
        _ parameters: [TypeSyntax], _ result: TypeSyntax?, action named: Int? = nil
    ) -> [String]? {
        guard parameters.count == 2 || parameters.count == 3,
            let action = parameters.firstIndex(where: { $0.simpleName.map(isAction) ?? false })
                ?? named
        else { return nil }
        let others = parameters.indices.filter { $0 != action }.map { parameters[$0] }
        let state = others.first { type in
            if let attributed = type.as(AttributedTypeSyntax.self) {
                return attributed.specifiers.contains { $0.trimmedDescription == "inout" }
            }
            return result.map { $0.bareDescription == type.bareDescription } ?? false
        }
        return state?.allNames
    }

    /// The names of the types that states consist of, from the roots of stores down.
    func findStateNames() -> Set<String> {
        var names = reducers.states
        for type in files.flatMap(\.outline.typeNames) {
            guard let clause = type.parent?.parent?.parent?.as(GenericArgumentClauseSyntax.self)
            else { continue }
            let generic =
                clause.parent?.as(IdentifierTypeSyntax.self)?.name.text
                ?? clause.parent?.as(MemberTypeSyntax.self)?.name.text
                ?? clause.parent?.as(GenericSpecializationExprSyntax.self)?.expression.lastName
            if let generic, isStore(generic) { names.insert(type.name.text) }
        }
        var rest = Array(names)
        while let name = rest.popLast() {
            guard let facts = types[name], facts.declaration?.kind != .class else { continue }
            var parts = facts.properties.values.filter { $0.isStored && !$0.isStatic }
                .flatMap { property in
                    property.binding.typeAnnotation?.type.allNames
                        ?? type(of: property.binding).map { [$0] } ?? []
                }
            let cases =
                facts.declaration?.node.memberBlock.members
                .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements) ?? []
            parts += cases.flatMap { $0.parameterClause?.parameters.flatMap(\.type.allNames) ?? [] }
            for part in parts where names.insert(part).inserted { rest.append(part) }
        }
        return names
    }
}

extension TypeSyntax {
    /// The type as it is written, without optionality and spaces.
    fileprivate var bareDescription: String {
        var text = trimmedDescription.filter { !$0.isWhitespace }
        while text.hasSuffix("?") || text.hasSuffix("!") { text.removeLast() }
        return text
    }
}
