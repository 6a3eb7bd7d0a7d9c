// SPDX-License-Identifier: MIT

public import EntityTables

extension Store {
    /// Tells of changes of one row of a table: of its values, its removal and its return.
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - id: The row; it need not be there yet.
    ///   - initially: Whether to call at once with the row at subscription, as old and new.
    ///   - policy: How often to call.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the row that this subscriber saw last and the new one; nil where there
    ///     is none. It runs as that of a subscriber of a value.
    /// - Returns: The token; letting it go ends the calls.
    /// - Complexity: a commit costs what it changed in the table, whatever the number of rows and of
    ///   row subscribers. Ids are hashed under the store's lock.
    @inlinable
    public func subscribe<Row: Identifiable & Equatable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID,
        initially: Bool = false, policy: DeliveryPolicy = .every,
        isolation: (any Actor)? = #isolation,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Row?, _ new: Row?) -> Void
    ) -> Subscription where Row.ID: Sendable {
        subscribe(
            toRowOf: path,
            Listening(
                initially: initially, policy: policy, actor: body.isolation, here: isolation),
            TypedRowSubscriber<Row, Row?>(id, unmarked(body)))
    }

    /// Tells a subscriber of changes of the row whose id it knows.
    @inlinable @inline(__always)
    package func subscribe<Row: Identifiable & Equatable & Sendable>(
        toRowOf path: any KeyPath<State, EntityTable<Row>> & Sendable, _ options: Listening,
        _ subscriber: RowSubscriber<Row>
    ) -> Subscription where Row.ID: Sendable {
        let isSame: @Sendable (Row?, Row?) -> Bool = { $0 == $1 }
        let id = subscriber.known.id
        if let row {
            return row.subscribe(
                { $0[keyPath: path][id: id] }, isSame: untyped(isSame), options, subscriber)
        }
        return engine.subscribe(
            toRowOf: selection(path), of: path, at: site(path, .rows), key: key(path, .rows),
            isSame: untyped(isSame), options,
            makeWatch: {
                TypedTableWatch(TableWatch(Self.table(Row.self, at: $0).mark, isSame: isSame))
            },
            watchRow: { watch, table, isAhead in
                // The key holds the type of the table.
                unsafeDowncast(watch, to: TypedTableWatch<Row>.self).watch
                    .add(subscriber, in: Self.table(Row.self, at: table), isAhead: isAhead)
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

    /// Tells what changed in a table, for views that show it as a list.
    ///
    /// Applying the change sets in their order to the first table always gives the current one:
    /// `list = list.applying(changes, from: table)`.
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - policy: How often to call; changes that are joined come as one change set.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the change set and the table that it leads to; not for commits that
    ///     left the table as it was.
    /// - Returns: The token; letting it go ends the calls.
    /// - Complexity: O(changes) per commit. The last table is held meanwhile, so that a commit copies
    ///   the O(log n) nodes on the way to each row it changes.
    @inlinable
    public func subscribe<Row: Identifiable & Sendable>(
        changesOf path: any KeyPath<State, EntityTable<Row>> & Sendable,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (
                _ changes: EntityChanges<Row.ID>, _ table: EntityTable<Row>
            ) -> Void
    ) -> Subscription where Row.ID: Sendable {
        subscribe(
            to: path, .everyCommit, isSame: nil,
            Listening(initially: false, policy: policy, actor: body.isolation, here: isolation),
            TypedSubscriber<EntityTable<Row>>.telling(unmarked(body)))
    }
}
