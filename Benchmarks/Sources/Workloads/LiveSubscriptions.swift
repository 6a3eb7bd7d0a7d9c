// SPDX-License-Identifier: MIT

import Onward

/// A state with several parts, and subscriptions of every kind on it.
public struct LiveSubscriptions: Sendable {
    struct App: Sendable {
        var rows: EntityTable<RowItem> = []
        var counter = CounterState()
        var title = ""
    }

    private let store: Store<App>
    private let tokens: [Subscription]

    /// Subscriptions of one stored property, all alike.
    public init(ofOneField count: Int) {
        let store = Self.makeStore(rows: 1)
        self.store = store
        tokens = (0..<count).map { index in
            store.subscribe(\.counter.count) { _, _ in keep(index) }
        }
    }

    /// Subscriptions of what a closure reads; each closure is a different one, or all are the same.
    public init(ofClosures count: Int, shared: Bool) {
        let store = Self.makeStore(rows: 1)
        self.store = store
        tokens = (0..<count).map { index in
            shared
                ? store.subscribe(.selecting { $0.counter.other }) { _, _ in keep(index) }
                : store.subscribe(.selecting { $0.counter.other + index }) { _, _ in keep(index) }
        }
    }

    /// Subscriptions of rows, each of its own.
    public init(ofRows count: Int) {
        let store = Self.makeStore(rows: count)
        self.store = store
        tokens = (0..<count).map { id in
            store.subscribe(.row(\.rows, id: id)) { _, _ in keep(id) }
        }
    }

    /// The same state as that of `init(ofRows:)` without subscriptions, for comparison.
    public init(ofRowsWithoutSubscribers count: Int) {
        store = Self.makeStore(rows: count)
        tokens = []
    }

    /// A mixture as an app has it: nine tenths watch rows, the others stored properties, closures,
    /// computed properties and the changes of the list.
    public init(mixed count: Int) {
        let store = Self.makeStore(rows: count)
        self.store = store
        tokens = (0..<count).map { index in
            switch index % 20 {
            case 0: store.subscribe(\.counter.count) { _, _ in keep(index) }
            case 1 where index < 100: store.subscribe(.table(\.rows)) { _, _ in keep(index) }
            case 1 where index < 400:
                store.subscribe(.selecting { $0.title.count }) { _, _ in keep(index) }
            case 1: store.subscribe(\.title.isEmpty) { _, _ in keep(index) }
            default: store.subscribe(.row(\.rows, id: index)) { _, _ in keep(index) }
            }
        }
    }

    /// Dispatches an action: mostly one that toggles a row, now and then one that counts.
    public func act(_ step: Int) {
        if step % 4 == 0 {
            store.dispatch(CounterAction.increment)
        } else {
            store.dispatch(TableAction.toggle(step % max(tokens.count, 1)))
        }
    }

    /// Reads each of the first rows as a reader that may observe it.
    func observeRows(_ count: Int) {
        for id in 0..<count { _ = store[.row(\.rows, id: id)] }
    }

    private static func makeStore(rows: Int) -> Store<App> {
        var app = App()
        for id in 0..<rows { app.rows.append(RowItem(id: id)) }
        return Store(app) {
            Scope(
                \.counter,
                Feature<CounterState> {
                    Reduce { (counter: inout CounterState, action: CounterAction) in
                        reduceCounter(&counter.count, action)
                    }
                })
            Scope(
                \.rows,
                Feature<EntityTable<RowItem>> {
                    Reduce { (rows: inout EntityTable<RowItem>, action: TableAction) in
                        if case .toggle(let id) = action {
                            rows.update(id: id) { $0.isDone.toggle() }
                        }
                    }
                })
        }
    }
}
