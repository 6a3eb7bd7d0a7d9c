// SPDX-License-Identifier: MIT

public import EntityTables

/// Something to read in a state: the value at a key path, a value that a closure or a selector
/// derives, a row of a table, or a whole table with its changes.
///
/// A store accepts every selection in the same places:
///
/// ```swift
/// let token = store.subscribe(.row(\.tasks, id: 7)) { old, new in … }
/// for await open in store.values(of: .selecting { $0.tasks.count }) { … }
/// let sum = store[.selector(total)]
/// ```
///
/// A selection belongs to no store and holds no value. Selections of the same key path, row or
/// selector are read once for all their subscribers; see ``selecting(_:)`` for closures.
public struct Selection<State: Sendable, Value: Sendable>: Sendable {
    /// Calls `body` with what a store notifies; the subscriber is made where the type of the value
    /// is known, so that what it does for each commit is compiled for that type.
    @usableFromInline package let subscribe:
        @Sendable (_ store: Store<State>, _ options: Listening, _ body: SelectionBody<Value>) ->
            Subscription
    /// The value in a store now.
    @usableFromInline package let read: @Sendable (_ store: Store<State>) -> Value
    /// What distinguishes the value in a store from others; nil if nothing does.
    package let key: @Sendable (_ store: Store<State>) -> GroupKey?
    /// Compares two values; nil if no two values count as the same.
    @usableFromInline package let isSame: Change.IsSame?

    @usableFromInline
    package init(
        isSame: Change.IsSame?, key: @escaping @Sendable (_ store: Store<State>) -> GroupKey?,
        read: @escaping @Sendable (_ store: Store<State>) -> Value,
        subscribe:
            @escaping @Sendable (
                _ store: Store<State>, _ options: Listening, _ body: SelectionBody<Value>
            ) -> Subscription
    ) {
        self.isSame = isSame
        self.key = key
        self.read = read
        self.subscribe = subscribe
    }
}

extension Selection {
    /// A value in the state; equal values are skipped.
    ///
    /// Most places accept the key path itself: `store.subscribe(\.count)`.
    ///
    /// - Complexity: a stored property is read only when its slice was reduced; a computed one, or
    ///   one behind an optional, each time anything inside the store's slice was.
    @inlinable
    public static func path(_ path: any KeyPath<State, Value> & Sendable) -> Selection
    where Value: Equatable {
        at(path, .changes, isSame: Store<State>.equal(Value.self))
    }

    /// A value in the state that is not `Equatable`: subscribers are notified with every commit
    /// that may have changed it, but only once that an optional is nil.
    @inlinable
    public static func path(_ path: any KeyPath<State, Value> & Sendable) -> Selection {
        at(path, .everyCommit, isSame: Change.bothAbsent(Value.self))
    }

    /// A table, with a notification whenever its rows or their order change, for views that show it
    /// as a list.
    ///
    /// A subscriber asks the new table for the changes since the old one, which is the last one
    /// that it was notified of, however many commits were joined in between. Applying the changes
    /// to a copy of the old table always gives the new one:
    ///
    /// ```swift
    /// store.subscribe(.table(\.tasks)) { old, new in
    ///     list = list.applying(new.changes(since: old), from: new)
    /// }
    /// ```
    ///
    /// - Complexity: O(changes) per commit. The last table is held, so a commit copies the O(log n)
    ///   nodes on the path to each row it changes.
    @inlinable
    public static func table<Row: Identifiable & Equatable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable
    ) -> Selection where Value == EntityTable<Row>, Row.ID: Sendable {
        .path(path)
    }

    /// A table whose rows are not `Equatable`: a replaced row counts as changed.
    @inlinable
    public static func table<Row: Identifiable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable
    ) -> Selection where Value == EntityTable<Row>, Row.ID: Sendable {
        at(path, .tables, isSame: Store<State>.unchanged(Row.self))
    }

    /// What a closure derives from the state; equal values are skipped.
    ///
    /// - Complexity: the closure runs, outside the lock, after every commit inside the store's
    ///   slice, on a copy of the root state's struct; a closure that captures nothing runs once for
    ///   all its subscribers. A key path to a stored property costs less. Code that tracks a
    ///   closure that captures something
    ///   (``Store/subscript(_:isolation:)-(Selection<State,Value>,_)``) is notified of each of
    ///   these commits.
    @inlinable
    public static func selecting(_ select: @escaping @Sendable (State) -> Value) -> Selection
    where Value: Equatable {
        Selection(
            isSame: Store<State>.equal(Value.self), key: { $0.key(ofWhat: select) },
            read: { select($0.state) }
        ) {
            $0.subscribe(
                toWhat: select, key: $0.key(ofWhat: select), isSame: Store<State>.equal(Value.self),
                $1, TypedSubscriber($2.call))
        }
    }

    /// What a closure derives from the state, with a comparison of your own.
    ///
    /// The comparison should be an equivalence relation. With one that is not, such as "at most 2
    /// apart", a subscriber called on the delivering thread with every change is notified as soon
    /// as the value differs from the last one it was notified of. If changes wait to be delivered
    /// as one (for a busy actor, behind a first call), a change back to about the same value is
    /// left out, and later values are compared with the one at which it ended: the subscriber may
    /// then be left with a value a little further from the newest one than the comparison allows.
    ///
    /// - Parameters:
    ///   - select: What to read.
    ///   - isSame: Whether two values are the same, so that the second one is skipped.
    /// - Returns: The selection.
    @inlinable
    public static func selecting(
        _ select: @escaping @Sendable (State) -> Value,
        removingDuplicatesBy isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> Selection {
        let isSame = Store<State>.untyped(isSame)
        return Selection(isSame: isSame, key: { _ in nil }, read: { select($0.state) }) {
            $0.subscribe(toWhat: select, isSame: isSame, $1, TypedSubscriber($2.call))
        }
    }

    /// Whether an optional value is there.
    package static func presence<Wrapped>(
        of path: any KeyPath<State, Wrapped?> & Sendable
    ) -> Selection where Value == Bool {
        let isSame = Store<State>.equal(Bool.self)
        let key: @Sendable (Store<State>) -> GroupKey? = { store in
            store.sharing(
                store.getter.source(of: path).map {
                    GroupKey(source: .presence($0), kind: .changes)
                })
        }
        return Selection(isSame: isSame, key: key, read: { $0.read(path) != nil }) {
            $0.subscribe(
                toWhat: { $0[keyPath: path] != nil }, key: key($0), isSame: isSame, $1,
                TypedSubscriber($2.call))
        }
    }

    @inlinable @inline(__always)
    static func at(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind,
        isSame: Change.IsSame?
    ) -> Selection {
        Selection(isSame: isSame, key: { $0.key(path, kind) }, read: { $0.read(path) }) {
            $0.subscribe(to: path, kind, isSame: isSame, $1, TypedSubscriber($2.call))
        }
    }
}

extension Selection {
    /// One row of a table, nil while there is none: its values, its removal and its return.
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - id: The id of the row, which need not exist yet.
    /// - Returns: The selection.
    /// - Complexity: the cost of a commit depends on what it changed in the table, not on the
    ///   number of rows or row subscribers. Ids are hashed and compared under the store's lock, so
    ///   hashing and comparing them must not use the store.
    @inlinable
    public static func row<Row: Identifiable & Equatable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> Selection where Value == Row?, Row.ID: Sendable {
        Selection(
            isSame: Store<State>.equal(Row?.self), key: { $0.key(path, id: id) },
            read: { $0.read(path, id: id) }
        ) { store, options, body in
            store.subscribe(
                toRowOf: path, options, TypedRowSubscriber<Row, Row?>(id, body.call))
        }
    }
}

/// What a subscriber calls, as stored: passing on the closure itself would wrap it once more.
@usableFromInline
package struct SelectionBody<Value>: Sendable {
    @usableFromInline package let call: @Sendable (_ old: Value, _ new: Value) -> Void

    @inlinable @inline(__always)
    package init(_ call: @escaping @Sendable (_ old: Value, _ new: Value) -> Void) {
        self.call = call
    }
}
