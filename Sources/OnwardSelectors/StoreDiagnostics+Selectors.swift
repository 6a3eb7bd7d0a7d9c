// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreDiagnostics {
    /// How often a selector was computed here, and how often its value was reused; zeros if it is
    /// not in use.
    public func statistics<Value>(of selector: StateSelector<State, Value>) -> SelectorStatistics {
        let key = SelectorKey(selector.identity, in: store.getter)
        let node: SelectorNode<Value>? = store.engine.selectors.find(key)
        return node?.statistics
            ?? SelectorStatistics(
                origin: selector.origin,
                parameter: selector.identity.parameter.map { String(describing: $0) },
                evaluations: 0, hits: 0)
    }

    /// The selectors currently cached in the whole store, in no particular order, for an inspector.
    ///
    /// - Complexity: O(selectors in use).
    public var selectors: [SelectorStatistics] { store.engine.selectors.nodes.map(\.statistics) }

    /// Measures the evaluations of all selectors from here on.
    package func measureSelectors() { store.engine.selectors.measure() }

    /// The same selectors as ``selectors``, each with what its evaluations took; nil if nobody
    /// measures them.
    package var selectorCosts: [(statistics: SelectorStatistics, cost: MeasuredCost?)] {
        store.engine.selectors.nodes.map { ($0.statistics, $0.cost) }
    }
}
