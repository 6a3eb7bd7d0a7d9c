// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension CodeBase {
    /// The places at which a piece of code comes to a goal, by itself or by what it calls.
    func arrivals(at goal: Goal, from code: Syntax) -> [Arrival] {
        let steps = Steps(of: code, in: self)
        var found = hits(of: goal, in: steps).map { Arrival(place: $0, through: nil) }
        let known = Set(found.map(\.place.id))
        for (place, targets) in exits(of: steps, to: goal) where !known.contains(place.id) {
            guard let target = targets.first(where: { leads(from: $0, to: goal) }) else { continue }
            found.append(Arrival(place: place, through: target.functionName))
        }
        return found
    }

    /// Whether a function comes to a goal, by itself or by what it calls.
    private func leads(from start: Syntax, to goal: Goal) -> Bool {
        if let known = arrivals[goal]?[start.id] { return known }
        var seen: Set = [start.id]
        var rest = [start]
        var leads = false
        while let next = rest.popLast(), !leads {
            if let known = arrivals[goal]?[next.id] {
                leads = known
                continue
            }
            let steps = Steps(of: next, in: self)
            leads = !hits(of: goal, in: steps).isEmpty
            for target in exits(of: steps, to: goal).flatMap(\.targets)
            where seen.insert(target.id).inserted { rest.append(target) }
        }
        // What a function that comes to no goal leads to comes to none either.
        for id in leads ? [start.id] : seen { arrivals[goal, default: [:]][id] = leads }
        return leads
    }

    /// The functions that steps lead to, each with where.
    private func exits(of steps: Steps, to goal: Goal) -> [(place: Syntax, targets: [Syntax])] {
        let calls = steps.calls.map { call -> (place: Syntax, targets: [Syntax]) in
            // Functions that are handed to what calls them at once: `list.forEach(save)`.
            let handed = call.arguments.map(\.expression)
                .filter {
                    $0.is(DeclReferenceExprSyntax.self) || $0.is(MemberAccessExprSyntax.self)
                }
                .flatMap { functions(named: $0.lastName ?? "", at: $0) }.map(Syntax.init)
            return (call.place, targets(of: call) + (call.calleeName == "forEach" ? handed : []))
        }
        let assignments = steps.assignments.map { (Syntax($0.target), observers(of: $0)) }
        return (calls + assignments).map { place, targets in
            (place, targets.filter { mayFollow($0, to: goal) })
        }
    }

    private func mayFollow(_ target: Syntax, to goal: Goal) -> Bool {
        switch goal {
        case .dispatch: !isReducer(target)
        // What reducers call of other reducers is found in those.
        case .impurity, .work: !isReducer(target)
        case .dispatchOffMain:
            isolation(of: target) == .caller && !isReducer(target)
        }
    }

    private func hits(of goal: Goal, in steps: Steps) -> [Syntax] {
        switch goal {
        case .dispatch, .dispatchOffMain:
            steps.calls.filter(isDispatch).map(\.place)
                + steps.accesses.filter { $0.isHandedOn && isDispatch($0) }.map {
                    Syntax($0.declName)
                }
        case .impurity: impurities(in: steps)
        case .work: steps.calls.filter { startsWork($0) }.map(\.place)
        }
    }
}

extension MemberAccessExprSyntax {
    /// Whether it is the argument of a function that calls it at once: `list.forEach(store.dispatch)`.
    fileprivate var isHandedOn: Bool {
        guard let call = parent?.parent?.parent?.as(FunctionCallExprSyntax.self) else {
            return false
        }
        return parent?.is(LabeledExprSyntax.self) == true && call.calleeName == "forEach"
    }
}

extension Syntax {
    /// The name of the function, type or property that it is, or stands in.
    fileprivate var functionName: String? {
        if let function = self.as(FunctionDeclSyntax.self) { return "\(function.name.text)()" }
        for ancestor in [self] + Array(ancestors) {
            if let binding = ancestor.as(PatternBindingSyntax.self) {
                return binding.pattern.trimmedDescription
            }
            if let group = ancestor.asProtocol((any DeclGroupSyntax).self) {
                return TypeDeclaration(group).map { "\($0.name)()" }
            }
        }
        return nil
    }
}
