// SPDX-License-Identifier: MIT

internal import OnwardCore

extension SelectorFamily {
    /// The selector for the current parameter, which another selector computes.
    ///
    /// ```swift
    /// let mine = todosOf(currentUser)
    /// let shown = todosOf(\.session.user)
    /// ```
    ///
    /// When the parameter changes, the value comes from another member. The previous member is
    /// released, unless other code uses it, and is computed anew when it comes back: for a search
    /// as you type, `filter(with:)` does less work.
    ///
    /// - Parameters:
    ///   - parameter: The selector that computes the parameter.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    /// - Returns: A selector of the member's value.
    /// - Complexity: O(1) plus the cost of the member. The member is asked after each commit that
    ///   changes the state it is made for, because another member may depend on anything in it.
    public func callAsFunction(
        _ parameter: StateSelector<State, Parameter>, file: String = #fileID, line: Int = #line
    ) -> StateSelector<State, Value> {
        let origin = ActionOrigin(file: file, line: line)
        return StateSelector(
            identity: SelectorIdentity(), origin: origin, inputs: [AnySelector(parameter)]
        ) { site, identity in
            site.node(identity, origin) { site, registration in
                let parameter = site.input(parameter)
                let getter = site.getter
                var inputs = SelectorInputs(all: getter.range)
                inputs.add(parameter)
                return SelectorNode(registration, inputs) {
                    [weak cache = site.cache] root, node in
                    if let known = SelectorChoice<Value>.recall(in: root, node) { return known }
                    guard let cache else {
                        preconditionFailure("a selector was read after its store let go of it")
                    }
                    let site = SelectorSite(getter, cache)
                    let member = site.input(self(parameter.read(root).value))
                    let result = node.choosing(in: root) { member.read(root) }
                    return SelectorChoice(member, result)?.result(in: root, node) ?? result
                }
            }
        }
    }

    /// The selector for the current parameter, which is a property of the state.
    public func callAsFunction(
        _ path: any KeyPath<State, Parameter> & Sendable, file: String = #fileID, line: Int = #line
    ) -> StateSelector<State, Value> {
        self(StateSelector(path, file: file, line: line), file: file, line: line)
    }
}
