// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension CodeBase {
    /// Whether a call dispatches to a store of one of the libraries.
    func isDispatch(_ call: FunctionCallExprSyntax) -> Bool {
        if let access = call.callee.as(MemberAccessExprSyntax.self) { return isDispatch(access) }
        guard call.calleeName == "dispatch" else { return false }
        switch meaning(of: "dispatch", at: Syntax(call)) {
        // What middlewares and thunks are handed, and wrap around.
        case .local(let type):
            return type == nil || type == "DispatchFunction" || type == "Dispatcher"
        case .property(let property, _), .global(let property):
            return type(of: property.binding) == "DispatchFunction"
        case .unknown: return call.enclosingType.map { isStore($0.name) } ?? false
        }
    }

    /// Whether `store.dispatch` stands there, called or handed on.
    func isDispatch(_ access: MemberAccessExprSyntax) -> Bool {
        let names: Set = ["dispatch", "_defaultDispatch", "dispatchFunction"]
        guard names.contains(access.declName.baseName.text), let base = access.base else {
            return false
        }
        let property = type(of: base).flatMap { self.property("dispatch", of: $0) }
        if let property, type(of: property.binding) == "DispatchFunction" { return true }
        if base.is(SuperExprSyntax.self) {
            return base.enclosingType.map { isStore($0.name) } ?? false
        }
        return isStore(base)
    }

    /// Whether an expression is a store of one of the libraries, or is called one by its author.
    func isStore(_ expression: ExprSyntax) -> Bool {
        guard let type = type(of: expression) else {
            return expression.lastName?.lowercased().hasSuffix("store") ?? false
        }
        return isStore(type)
            || (types[type] == nil && type.hasSuffix("Store") && aliases[type] == nil)
    }

    /// The functions, of all that the code base has, that a call may run: overrides among them.
    func targets(of call: FunctionCallExprSyntax, depth: Int = 0) -> [Syntax] {
        guard depth < 12 else { return [] }
        if let name = call.constructedType {
            guard let facts = types[name] else { return [] }
            let values = facts.properties.values.filter { !$0.isStatic && $0.isStored }
                .compactMap { $0.binding.initializer }.map(Syntax.init)
            return facts.initializers.map(Syntax.init) + values
        }
        guard let name = call.calleeName else { return [] }
        return functions(named: name, at: call.callee, depth: depth)
            .filter { $0.accepts(call) }.map(Syntax.init)
    }

    /// The functions that a name or a member may mean.
    func functions(
        named name: String, at expression: ExprSyntax, depth: Int = 0
    ) -> [FunctionDeclSyntax] {
        if let access = expression.as(MemberAccessExprSyntax.self) {
            guard let base = access.base, let type = type(of: base, depth: depth + 1) else {
                return []
            }
            return methods(name, of: type)
        }
        guard expression.is(DeclReferenceExprSyntax.self) else { return [] }
        for ancestor in expression.ancestors {
            if let items = ancestor.as(CodeBlockItemListSyntax.self) {
                let local = items.compactMap { $0.item.as(FunctionDeclSyntax.self) }
                    .filter { $0.name.text == name }
                if !local.isEmpty { return local }
            }
            if let group = ancestor.asProtocol((any DeclGroupSyntax).self),
                let type = TypeDeclaration(group)?.name
            {
                let methods = methods(name, of: type)
                if !methods.isEmpty { return methods }
            }
        }
        return functions[name] ?? []
    }

    /// The methods of that name that a value of a type may have, overrides in subclasses among them.
    func methods(_ name: String, of type: String) -> [FunctionDeclSyntax] {
        lineage(of: type).union(descendants(of: type)).sorted()
            .flatMap { types[$0]?.functions[name] ?? [] }
    }

    /// What runs when a property is set.
    func observers(of assignment: Assignment) -> [Syntax] {
        let target = assignment.target
        let name: String
        let property: TypeFacts.Property?
        if let reference = target.as(DeclReferenceExprSyntax.self) {
            name = reference.baseName.text
            switch meaning(of: name, at: Syntax(target)) {
            case .property(let found, _), .global(let found): property = found
            case .local, .unknown: property = nil
            }
        } else if let access = target.as(MemberAccessExprSyntax.self), let base = access.base,
            let type = type(of: base)
        {
            name = access.declName.baseName.text
            property = self.property(name, of: type)
        } else {
            return []
        }
        return property?.observers.map(Syntax.init) ?? []
    }

    /// Whether a closure runs where it stands, before the call that it is handed to returns.
    func runsAtOnce(_ closure: ClosureExprSyntax) -> Bool {
        if closure.isCalledInPlace { return true }
        guard let (call, label) = closure.receiver else { return false }
        if let name = call.calleeName, Self.immediate.contains(name) {
            return label != "completion"
        }
        guard let function = targets(of: call).first?.as(FunctionDeclSyntax.self) else {
            return false
        }
        let parameters = function.signature.parameterClause.parameters
        let parameter = parameters.first { $0.firstName.text == label } ?? parameters.last
        // A function type that isn't said to escape.
        return parameter?.type.is(FunctionTypeSyntax.self) ?? false
    }

    /// Functions of the system that call what they are given before they return.
    private static let immediate: Set = [
        "forEach", "map", "compactMap", "flatMap", "filter", "reduce", "first", "last", "contains",
        "allSatisfy", "sorted", "sort", "min", "max", "removeAll", "firstIndex", "drop", "prefix",
        "sync", "withLock", "autoreleasepool", "performWithoutAnimation", "withAnimation",
        "assumeIsolated", "withExtendedLifetime", "withCheckedContinuation",
        "withUnsafePointer", "performAndWait", "animate", "mapValues",
    ]
}

extension FunctionDeclSyntax {
    /// Whether a call has only labels that the function has, and not too many arguments.
    fileprivate func accepts(_ call: FunctionCallExprSyntax) -> Bool {
        let parameters = signature.parameterClause.parameters
        let labels = Set(parameters.map(\.firstName.text))
        return call.allArguments.count <= parameters.count
            && call.arguments.allSatisfy { $0.label.map { labels.contains($0.text) } ?? true }
    }
}
