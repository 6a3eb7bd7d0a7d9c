// SPDX-License-Identifier: MIT

internal import EntityTables

/// How a store of one row of an `EntityTable`, or of a part of one, is told of changes: as a subscriber
/// of that row, so that a commit costs what it changed in the table, whatever the number of such stores.
@usableFromInline
struct RowSource<State>: Sendable {
    /// Tells of changes of the store's state, which is the row or an optional row.
    ///
    /// The first call of a subscriber that asked for one gets the same pointer twice.
    private let subscribe: @Sendable (Listening, RowHearing) -> Subscription

    /// The row of a store whose state is nil while there is none.
    init<Parent, Row: Identifiable & Equatable & Sendable>(
        of parent: Store<Parent>, _ path: any KeyPath<Parent, EntityTable<Row>> & Sendable,
        id: Row.ID
    ) where Row.ID: Sendable, State == Row? {
        subscribe = { options, hearing in
            parent.subscribe(toRowOf: path, options, PointerRowSubscriber<Row>(id, hearing))
        }
    }

    /// A part of what another store of a row shows.
    init<Whole>(
        of whole: RowSource<Whole>, _ select: @escaping @Sendable (Whole) -> State
    ) {
        subscribe = { options, hearing in
            whole.subscribe(
                options,
                hearing.after { old, new, hear in
                    let isFirst = old == new
                    let new = select(new.assumingMemoryBound(to: Whole.self).pointee)
                    withUnsafePointer(to: new) { new in
                        if isFirst { return hear(new, new) }
                        let old = select(old.assumingMemoryBound(to: Whole.self).pointee)
                        withUnsafePointer(to: old) { hear($0, new) }
                    }
                })
        }
    }

    /// What an optional holds, for a store that keeps showing its last value.
    init(unwrapping optional: RowSource<State?>, _ last: LastKnownValue<State>)
    where State: Sendable {
        subscribe = { options, hearing in
            // What this subscriber was told before the value went; what it saw first, if that was later.
            let heard = Guarded<State?>(nil)
            @Sendable func lastHeard() -> State {
                let last = last.take(nil)
                return heard.withValue {
                    $0 = $0 ?? last
                    return $0 ?? last
                }
            }
            return optional.subscribe(
                options,
                hearing.after { old, new, hear in
                    func value(_ pointer: UnsafeRawPointer) -> State? {
                        pointer.assumingMemoryBound(to: State?.self).pointee
                    }
                    // What an optional holds starts where the optional does.
                    if value(old) != nil, value(new) != nil { return hear(old, new) }
                    if old == new { return withUnsafePointer(to: lastHeard()) { hear($0, $0) } }
                    if let gone = value(old) {
                        heard.withValue { $0 = gone }
                        return _ = last.take(gone)
                    }
                    guard value(new) != nil else { return }
                    withUnsafePointer(to: lastHeard()) { hear($0, new) }
                })
        }
    }

    /// Tells of changes of what a closure derives from the store's state.
    ///
    /// The row is told whenever it changed, so each subscriber remembers what it was told last: the next
    /// value is not compared with one that was skipped.
    @usableFromInline
    func subscribe<Value>(
        _ select: @escaping @Sendable (State) -> Value, isSame: Change.IsSame?,
        _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        let heard = Guarded<Value?>(nil)
        let hearing = RowHearing(TypedValue<Value>(), isSame: isSame, subscriber)
        return subscribe(
            options,
            hearing.after { old, new, hear in
                let isFirst = old == new
                let new = select(new.assumingMemoryBound(to: State.self).pointee)
                if isFirst {
                    // On an actor a later change may have been told before the first call is made.
                    heard.withValue { $0 = $0 ?? new }
                    return withUnsafePointer(to: new) { hear($0, $0) }
                }
                let last =
                    heard.withValue { $0 }
                    ?? select(old.assumingMemoryBound(to: State.self).pointee)
                withUnsafePointer(to: last) { old in
                    withUnsafePointer(to: new) { new in
                        let isRepeat = isSame?(old, new) == true
                        var next: Value? = isRepeat ? old.pointee : new.pointee
                        // The previous one is released outside the lock.
                        heard.withValue { swap(&$0, &next) }
                        if !isRepeat { hear(old, new) }
                    }
                }
            })
    }
}
