// SPDX-License-Identifier: MIT

internal import EntityTables

/// How a store of one row of an `EntityTable` hears of changes: as a subscriber of that row, so that a
/// commit costs what it changed in the table, whatever the number of such stores.
@usableFromInline
struct RowSource<State>: Sendable {
    /// Tells of changes of the store's state, which is the row or an optional row.
    ///
    /// The first call of a subscriber that asked for one gets the same pointer twice.
    private let subscribe: @Sendable (Listening, @escaping PointerSubscriber.Body) -> Subscription

    /// The row of a store whose state is nil while there is none.
    init<Parent, Row: Identifiable & Equatable & Sendable>(
        of parent: Store<Parent>, _ path: any KeyPath<Parent, EntityTable<Row>> & Sendable,
        id: Row.ID
    ) where Row.ID: Sendable, State == Row? {
        subscribe = { options, tell in
            parent.subscribe(toRowOf: path, options, PointerRowSubscriber<Row>(id, tell))
        }
    }

    /// The row of a store that goes on showing its last value.
    init<Parent>(
        unwrappedOf parent: Store<Parent>,
        _ path: any KeyPath<Parent, EntityTable<State>> & Sendable, id: State.ID,
        _ last: Remembered<State>
    ) where State: Identifiable & Equatable & Sendable, State.ID: Sendable {
        subscribe = { options, tell in
            // What this subscriber was told before the row went.
            let told = Guarded<State?>(nil)
            let rows = PointerRowSubscriber<State>(id) { old, new in
                func row(_ pointer: UnsafeRawPointer) -> State? {
                    pointer.assumingMemoryBound(to: State?.self).pointee
                }
                // What an optional holds starts where the optional does.
                if row(old) != nil, row(new) != nil { return tell(old, new) }
                if old == new { return withUnsafePointer(to: last.take(nil)) { tell($0, $0) } }
                if let gone = row(old) {
                    told.withValue { $0 = gone }
                    return _ = last.take(gone)
                }
                guard row(new) != nil else { return }
                withUnsafePointer(to: told.withValue { $0 } ?? last.take(nil)) { tell($0, new) }
            }
            return parent.subscribe(toRowOf: path, options, rows)
        }
    }

    /// Tells of changes of what a closure makes of the store's state.
    @usableFromInline
    func subscribe<Value>(
        _ select: @escaping @Sendable (State) -> Value, isSame: Change.IsSame?,
        _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        subscribe(options) { old, new in
            let isFirst = old == new
            let old = select(old.assumingMemoryBound(to: State.self).pointee)
            let new = select(new.assumingMemoryBound(to: State.self).pointee)
            withUnsafePointer(to: old) { old in
                withUnsafePointer(to: new) { new in
                    if !isFirst, let isSame, isSame(old, new) { return }
                    subscriber.tell(old, new)
                }
            }
        }
    }
}
