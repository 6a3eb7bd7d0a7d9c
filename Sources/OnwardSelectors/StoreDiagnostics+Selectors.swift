// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreDiagnostics {
    /// How often a selector was computed here and how often it was not; zeros when it is not in
    /// use.
    public func statistics<Value>(of selector: Selector<State, Value>) -> SelectorStatistics {
        let key = SelectorKey(selector.identity, in: store.getter)
        let node: SelectorNode<Value>? = store.engine.selectors.find(key)
        return node?.statistics
            ?? SelectorStatistics(
                origin: selector.origin,
                parameter: selector.identity.parameter.map { String(describing: $0) },
                evaluations: 0, hits: 0)
    }

    /// The selectors that are cached in the whole store now, in no order, for an inspector.
    ///
    /// - Complexity: O(selectors in use).
    public var selectors: [SelectorStatistics] { store.engine.selectors.nodes.map(\.statistics) }

    /// Has the evaluations of all selectors measured from here on.
    package func measureSelectors() { store.engine.selectors.measure() }

    /// The same selectors as ``selectors``, each with what its evaluations took; nil where nobody measures them.
    package var selectorCosts: [(statistics: SelectorStatistics, cost: MeasuredCost?)] {
        store.engine.selectors.nodes.map { ($0.statistics, $0.cost) }
    }
}
