// SPDX-License-Identifier: MIT

public import EntityTables
public import Observation
public import OnwardCore

/// Makes a store observable: code that reads `store[\.path]` inside `withObservationTracking`, such
/// as a SwiftUI body, is notified of the next change of that value alone.
extension Store: Observable {
    /// The value at a key path, for code that may track what it reads.
    ///
    /// Inside `withObservationTracking` (a SwiftUI body, `Observations`), a reader is notified of a
    /// change of this value, and of nothing else. By then, the store already shows the new value. A
    /// reader on an actor is notified on that actor, so no change is missed between reading and
    /// waiting. A reader without isolation is notified on the delivering thread, and may miss a
    /// change that another thread makes before the tracking has begun, and then those that follow,
    /// until it reads again.
    ///
    /// - Parameters:
    ///   - path: The value to read.
    ///   - isolation: The actor that the caller runs on. The compiler infers it, except in a
    ///     closure inside an actor that does not use `self`; pass `isolation: self` there.
    /// - Complexity: one lookup more than ``state``. A value that was read stays subscribed until
    ///   it has changed twice without being read; from then on it costs commits nothing.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        path: any KeyPath<State, Value> & Sendable, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        readObserved(path, .changes, on: isolation)
            ?? observe(path, .changes, isSame: Self.equal(Value.self), on: isolation)
    }

    /// The result of a selection, for code that may track what it reads: its changes are notified,
    /// and for a row, only those of that row.
    ///
    /// For a closure, each commit inside this store's slice is notified, because nothing identifies
    /// the closure when it is read again.
    ///
    /// - Parameters:
    ///   - selection: The value to read.
    ///   - isolation: The actor that the caller runs on, as for a key path.
    /// - Complexity: as for a key path; outside of tracking, ``value(of:)`` costs less.
    public subscript<Value: Sendable>(
        selection: Selection<State, Value>, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        if let key = selection.key(self) {
            return observe(selection, selection, key, on: isolation)
        }
        let state = Selection<State, State>.path(\.self)
        // Stores are scoped by key paths and ids, so there is always something that names their
        // state.
        guard let key = state.key(self) else { return selection.read(self) }
        return observe(selection, state, key, on: isolation)
    }

    /// One row of a table, for code that may track what it reads: only changes of that row are notified.
    ///
    /// ```swift
    /// Text(store[\.notes, id: 7]?.title ?? "Gone")
    /// ```
    ///
    /// It gives what `store[.row(\.notes, id: 7)]` does, sooner.
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - id: The id of the row, which need not exist yet; nil is read while it doesn't.
    ///   - isolation: The actor that the caller runs on, as for a key path.
    /// - Complexity: as for a key path, and a look-up of the row. The id is hashed and compared under the store's lock.
    @inlinable
    public subscript<Row: Identifiable & Equatable & Sendable>(
        path: any KeyPath<State, EntityTable<Row>> & Sendable, id id: Row.ID,
        isolation isolation: (any Actor)? = #isolation
    ) -> Row? where Row.ID: Sendable {
        if let row = readObservedRow(path, id, on: isolation) { return row }
        return observeRow(path, id, on: isolation)
    }

    /// A row of a stored table where it was read before and is still armed; compiled in the client.
    @inlinable @inline(__always)
    func readObservedRow<Row: Identifiable & Equatable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, _ id: Row.ID,
        on reader: (any Actor)?
    ) -> Row?? where Row.ID: Sendable {
        guard getter.derive == nil else { return nil }
        let site = engine.site(path, from: getter.offset, row: id.hashValue, on: reader)
        let seen = engine.reading { locked -> (ObservedValue, Row?)? in
            guard let observed = engine.readObserved(at: site, on: reader, locked),
                observed.row?.hasID(id) == true
            else { return nil }
            let table = locked.address(at: observed.offset)
                .assumingMemoryBound(to: EntityTable<Row>.self)
            return (observed, table.pointee[id: id])
        }
        guard let (observed, row) = seen else { return nil }
        observed.access()
        return .some(row)
    }

    /// Reads a row for the first time, or where it can't be found by its place.
    @usableFromInline
    func observeRow<Row: Identifiable & Equatable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, _ id: Row.ID,
        on reader: (any Actor)?
    ) -> Row? where Row.ID: Sendable {
        let row = self[.row(path, id: id), isolation: reader]
        if getter.derive == nil, let offset = MemoryLayout<State>.offset(of: path),
            let source = key(path, id: id)?.source
        {
            engine.noteSite(
                engine.site(path, from: getter.offset, row: id.hashValue, on: reader), path,
                of: ObservedKey(source, .rows, reader: reader), offset: getter.offset + offset,
                row: TypedObservedRow(id))
        }
        return row
    }

    /// Reads a value for code that may track it, which is notified of changes of what `watched`
    /// gives.
    private func observe<Value, Watched>(
        _ selection: Selection<State, Value>, _ watched: Selection<State, Watched>, _ key: GroupKey,
        on reader: (any Actor)?
    ) -> Value {
        let options = Listening(initially: false, actor: nil, here: nil)
        return engine.observe(
            ObservedKey(key.source, key.kind, reader: reader), on: reader,
            reading: { selection.read(self) }
        ) { changed in
            watched.subscribe(self, options, SelectionBody { _, _ in changed() })
        }
    }

    /// A stored value where it was read before and is still armed; compiled in the client.
    @inlinable @inline(__always)
    func readObserved<Value>(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind,
        on reader: (any Actor)?
    ) -> Value? {
        guard getter.derive == nil else { return nil }
        let site = engine.site(path, from: getter.offset, kind, on: reader)
        let seen = engine.reading { locked -> (ObservedValue, Value)? in
            guard let observed = engine.readObserved(at: site, on: reader, locked) else {
                return nil
            }
            let address = locked.address(at: observed.offset)
            return (observed, address.assumingMemoryBound(to: Value.self).pointee)
        }
        guard let (observed, value) = seen else { return nil }
        observed.access()
        return value
    }

    @usableFromInline
    package func observe<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind,
        isSame: Change.IsSame?, on reader: (any Actor)?
    ) -> Value {
        let source = key(path, kind)?.source
        let value = observe(source, kind, on: reader, getter.appending(path)) { changed in
            subscribe(
                to: path, kind, isSame: isSame,
                Listening(initially: false, actor: nil, here: nil),
                PointerSubscriber { _, _ in changed() })
        }
        if case .field(let offset, _)? = source, let source {
            engine.noteSite(
                ObservedSite(path, from: getter.offset, kind, reader: reader), path,
                of: ObservedKey(source, kind, reader: reader), offset: offset)
        }
        return value
    }

    /// Reads a value, of whose changes `subscribe` can notify.
    private func observe<Value>(
        _ source: GroupKey.Source?, _ kind: GroupKey.Kind, on reader: (any Actor)?,
        _ getter: Getter<Value>,
        _ subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Value {
        // Stores are scoped by key paths and ids, so there is always something that names a value.
        guard let source else { return engine.read(getter) }
        return engine.observe(
            ObservedKey(source, kind, reader: reader), on: reader, getter,
            subscribe: subscribe)
    }
}
