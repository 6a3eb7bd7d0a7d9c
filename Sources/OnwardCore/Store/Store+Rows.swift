// SPDX-License-Identifier: MIT

public import EntityTables

extension Store {
    /// Notifies a subscriber of changes of the row whose id it knows.
    @inlinable @inline(__always)
    package func subscribe<Row: Identifiable & Equatable & Sendable>(
        toRowOf path: any KeyPath<State, EntityTable<Row>> & Sendable, _ options: Listening,
        _ subscriber: RowSubscriber<Row>
    ) -> Subscription where Row.ID: Sendable {
        let isSame: @Sendable (Row?, Row?) -> Bool = { $0 == $1 }
        let id = subscriber.lastKnown.id
        if let row {
            return row.subscribe(
                { $0[keyPath: path][id: id] }, isSame: Self.untyped(isSame), options, subscriber)
        }
        return engine.subscribe(
            toRowOf: anyGetter(path), of: path, at: site(path, .rows), key: key(path, .rows),
            isSame: Self.untyped(isSame), options,
            makeDetector: {
                TypedRowChangeDetector(
                    RowChangeDetector(Self.table(Row.self, at: $0).mark, isSame: isSame))
            },
            addRow: { detector, table, locked in
                // The key holds the type of the table.
                unsafeDowncast(detector, to: TypedRowChangeDetector<Row>.self).detector
                    .add(
                        subscriber,
                        in: table.assumingMemoryBound(to: Borrowed<EntityTable<Row>>.self), locked)
            },
            first: { table in
                withUnsafePointer(to: Self.table(Row.self, at: table)[id: id]) {
                    ValueCopy(of: UnsafeRawPointer($0), TypedValue<Row?>())
                }
            }, subscriber)
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
