// SPDX-License-Identifier: MIT

public import EntityTables

extension Store {
    /// Notifies a subscriber of changes of the row whose id it knows.
    @inlinable @inline(__always)
    package func subscribe<Row: Identifiable & Equatable & Sendable>(
        toRowOf path: any KeyPath<State, EntityTable<Row>> & Sendable, _ options: Listening,
        _ subscriber: RowSubscriber<Row>
    ) -> Subscription where Row.ID: Sendable {
        let isSame: @Sendable (Row?, Row?) -> Bool = { isUnchanged($0, $1) }
        let id = subscriber.lastKnown.id
        if let row {
            return row.subscribe(
                { $0[keyPath: path][id: id] }, isSame: Self.untyped(isSame), options, subscriber)
        }
        if options.every != nil {
            return engine.subscribe(
                to: derivedRow(path, id: id), of: nil, at: nil, key: nil,
                isSame: Self.untyped(isSame), options, subscriber)
        }
        return engine.subscribe(
            toRowOf: anyGetter(path), of: path, at: site(path, .rows), key: key(path, .rows),
            isSame: Self.untyped(isSame), options,
            makeDetector: {
                TypedRowChangeDetector(
                    RowChangeDetector(Self.table(Row.self, at: $0).mark, isSame: isSame))
            },
            addRow: { detector, table, joining, locked in
                // The key holds the type of the table.
                let detector = unsafeDowncast(detector, to: TypedRowChangeDetector<Row>.self)
                    .detector
                let table = table.assumingMemoryBound(to: Borrowed<EntityTable<Row>>.self)
                switch joining {
                case .knowingAll: detector.add(subscriber, in: table, locked)
                case .late:
                    subscriber.lastKnown = LastKnownRow(
                        RowChangeDetector<Row>.row(id, in: table.pointee), id)
                    detector.addLate(subscriber, locked)
                case .knowingItsRow: detector.addLate(subscriber, locked)
                }
            },
            first: { table in
                let row = Self.table(Row.self, at: table)[id: id]
                subscriber.lastKnown = LastKnownRow(row, id)
                return withUnsafePointer(to: row) {
                    ValueCopy(of: UnsafeRawPointer($0), TypedValue<Row?>())
                }
            }, subscriber)
    }

    /// What reads a row as a value of its own.
    @usableFromInline
    func derivedRow<Row: Identifiable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> AnyGetter where Row.ID: Sendable {
        AnyGetter(getter.selecting { $0[keyPath: path][id: id] })
    }

    @inlinable
    static func table<Row>(_ type: Row.Type, at pointer: UnsafeRawPointer) -> EntityTable<Row> {
        pointer.assumingMemoryBound(to: EntityTable<Row>.self).pointee
    }

    /// The comparison of two tables behind pointers, whose rows need not be comparable.
    @inlinable @inline(__always)
    package static func unchanged<Row: Identifiable & Sendable>(
        _ type: Row.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool where Row.ID: Sendable {
        { table(type, at: $1).changes(since: table(type, at: $0)).isEmpty }
    }

    /// The row of a table, now.
    @usableFromInline
    package func read<Row: Identifiable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> Row? where Row.ID: Sendable {
        read(path)[id: id]
    }

    /// What distinguishes a row from others.
    @usableFromInline
    package func key<Row: Identifiable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> GroupKey? where Row.ID: Sendable {
        getter.source(of: path, id: id).map { GroupKey(source: $0, kind: .rows) }
    }
}

/// How a store of one row of an `EntityTable`, or of a part of one, is notified of changes: as a subscriber
/// of that row, so that a commit costs what it changed in the table, whatever the number of such stores.
@usableFromInline
struct RowSource<State>: Sendable {
    /// Notifies of changes of the store's state, which is the row or an optional row.
    ///
    /// The first call of a subscriber that asked for one gets the same pointer twice.
    private let subscribe: @Sendable (Listening, RowNotification) -> Subscription

    /// The row of a store whose state is nil while there is none.
    init<Parent, Row: Identifiable & Equatable & Sendable>(
        of parent: Store<Parent>, _ path: any KeyPath<Parent, EntityTable<Row>> & Sendable,
        id: Row.ID
    ) where Row.ID: Sendable, State == Row? {
        subscribe = { options, notification in
            parent.subscribe(toRowOf: path, options, PointerRowSubscriber<Row>(id, notification))
        }
    }

    /// A part of what another store of a row shows.
    init<Whole>(
        of whole: RowSource<Whole>, _ select: @escaping @Sendable (Whole) -> State
    ) {
        subscribe = { options, notification in
            whole.subscribe(
                options,
                notification.after { old, new, notify in
                    let isFirst = old == new
                    let new = select(new.assumingMemoryBound(to: Whole.self).pointee)
                    withUnsafePointer(to: new) { new in
                        if isFirst { return notify(new, new) }
                        let old = select(old.assumingMemoryBound(to: Whole.self).pointee)
                        withUnsafePointer(to: old) { notify($0, new) }
                    }
                })
        }
    }

    /// What an optional holds, for a store that keeps showing its last value.
    init(unwrapping optional: RowSource<State?>, _ last: LastKnownValue<State>)
    where State: Sendable {
        subscribe = { options, notification in
            // What this subscriber was notified of before the value went; what it saw first, if that was later.
            let notified = Guarded<State?>(nil)
            @Sendable func lastNotified() -> State {
                let last = last.take(nil)
                return notified.withValue {
                    $0 = $0 ?? last
                    return $0 ?? last
                }
            }
            return optional.subscribe(
                options,
                notification.after { old, new, notify in
                    func value(_ pointer: UnsafeRawPointer) -> State? {
                        pointer.assumingMemoryBound(to: State?.self).pointee
                    }
                    // What an optional holds starts where the optional does.
                    if value(old) != nil, value(new) != nil { return notify(old, new) }
                    if old == new {
                        return withUnsafePointer(to: lastNotified()) { notify($0, $0) }
                    }
                    if let gone = value(old) {
                        notified.withValue { $0 = gone }
                        return _ = last.take(gone)
                    }
                    guard value(new) != nil else { return }
                    withUnsafePointer(to: lastNotified()) { notify($0, new) }
                })
        }
    }

    /// Notifies of changes of what a closure derives from the store's state.
    ///
    /// The group notifies of the row whenever it changed, so each subscriber remembers what it was delivered last:
    /// the next value is not compared with one that was skipped.
    @usableFromInline
    func subscribe<Value>(
        _ select: @escaping @Sendable (State) -> Value, isSame: Change.IsSame?,
        _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        let notified = Guarded<Value?>(nil)
        let notification = RowNotification(TypedValue<Value>(), isSame: isSame, subscriber)
        return subscribe(
            options,
            notification.after { old, new, notify in
                let isFirst = old == new
                let new = select(new.assumingMemoryBound(to: State.self).pointee)
                if isFirst {
                    // On an actor a later change may have been notified before the first call is made.
                    notified.withValue { $0 = $0 ?? new }
                    return withUnsafePointer(to: new) { notify($0, $0) }
                }
                let last =
                    notified.withValue { $0 }
                    ?? select(old.assumingMemoryBound(to: State.self).pointee)
                withUnsafePointer(to: last) { old in
                    withUnsafePointer(to: new) { new in
                        let isRepeat = isSame?(old, new) == true
                        var next: Value? = isRepeat ? old.pointee : new.pointee
                        // The previous one is released outside the lock.
                        notified.withValue { swap(&$0, &next) }
                        if !isRepeat { notify(old, new) }
                    }
                }
            })
    }
}
