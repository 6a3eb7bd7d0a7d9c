// SPDX-License-Identifier: MIT

public import Onward

extension Recorder {
    /// A recorder of a value in a store's state; equal values are not told.
    public convenience init<S>(
        of store: Store<S>, _ path: any KeyPath<S, Value> & Sendable, initially: Bool = false
    ) where Value: Equatable {
        self.init { store.subscribe(path, initially: initially, isolation: nil, $0) }
    }

    /// A recorder of a value that cannot be compared: of each commit that may have changed it.
    public convenience init<S>(
        of store: Store<S>, _ path: any KeyPath<S, Value> & Sendable, initially: Bool = false
    ) {
        self.init { store.subscribe(path, initially: initially, isolation: nil, $0) }
    }

    /// A recorder of what a closure makes of a store's state; equal values are not told.
    public convenience init<S>(
        of store: Store<S>, selecting select: @escaping @Sendable (S) -> Value,
        initially: Bool = false
    ) where Value: Equatable {
        self.init { store.subscribe(selecting: select, initially: initially, isolation: nil, $0) }
    }

    /// A recorder of a row; nil stands for a row that is not there.
    public convenience init<S, Row: Identifiable & Equatable & Sendable>(
        of store: Store<S>, _ path: any KeyPath<S, EntityTable<Row>> & Sendable, id: Row.ID,
        initially: Bool = false
    ) where Value == Row?, Row.ID: Sendable {
        self.init { store.subscribe(path, id: id, initially: initially, isolation: nil, $0) }
    }

    /// A recorder of what changed in a table; ``Change/old`` is what changed before.
    public convenience init<S, Row: Identifiable & Sendable>(
        of store: Store<S>, changesOf path: any KeyPath<S, EntityTable<Row>> & Sendable
    ) where Value == EntityChanges<Row.ID>, Row.ID: Sendable {
        self.init { record in
            store.subscribe(changesOf: path, isolation: nil, Self.linking(record))
        }
    }

    /// A recorder of a selector's value; equal values are not told.
    public convenience init<S>(
        of store: Store<S>, _ selector: Selector<S, Value>, initially: Bool = false
    ) where Value: Equatable {
        self.init { store.subscribe(selector, initially: initially, isolation: nil, $0) }
    }

    /// A recorder of a selector's value that cannot be compared.
    public convenience init<S>(
        of store: Store<S>, _ selector: Selector<S, Value>, initially: Bool = false
    ) {
        self.init { store.subscribe(selector, initially: initially, isolation: nil, $0) }
    }

    /// A recorder of what changed in the table of a selector; ``Change/old`` is what changed before.
    public convenience init<S, Row: Identifiable & Sendable>(
        of store: Store<S>, changesOf selector: Selector<S, EntityTable<Row>>
    ) where Value == EntityChanges<Row.ID>, Row.ID: Sendable {
        self.init { record in
            store.subscribe(changesOf: selector, isolation: nil, Self.linking(record))
        }
    }

    /// A subscriber of change sets, which remembers the last one.
    private static func linking<Row: Identifiable & Sendable>(
        _ record: @escaping @Sendable (Value, Value) -> Void
    ) -> @Sendable (EntityChanges<Row.ID>, EntityTable<Row>) -> Void
    where Value == EntityChanges<Row.ID>, Row.ID: Sendable {
        let last = Guarded(EntityChanges<Row.ID>())
        return { changes, _ in
            let old = last.withValue { last in
                defer { last = changes }
                return last
            }
            record(old, changes)
        }
    }
}
