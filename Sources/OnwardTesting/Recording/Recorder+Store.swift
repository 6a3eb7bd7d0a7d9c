// SPDX-License-Identifier: MIT

public import Onward

extension Recorder {
    /// Creates a recorder of a value in a store's state; equal values are skipped.
    public convenience init<S>(
        of store: Store<S>, _ path: any KeyPath<S, Value> & Sendable, initially: Bool = false
    ) where Value: Equatable {
        self.init(of: store, .path(path), initially: initially)
    }

    /// Creates a recorder of a selection: a row, a table, or what a closure or a selector derives
    /// from a store's state.
    public convenience init<S>(
        of store: Store<S>, _ selection: Selection<S, Value>, initially: Bool = false
    ) {
        self.init { store.subscribe(selection, initially: initially, isolation: nil, $0) }
    }
}
