// SPDX-License-Identifier: MIT

public import EntityTables
public import Observation
public import OnwardCore

/// A store can be observed: `store[\.path]` inside `withObservationTracking`, and so in a SwiftUI
/// body, is told of the next change of that value alone.
extension Store: Observable {
    /// The value at a key path, for those who may track what they read.
    ///
    /// Inside `withObservationTracking` (a SwiftUI body, `Observations`), a change of this value is
    /// told, and nothing else is. When it is told, the store shows the new value already. A reader on
    /// an actor is told on that actor, so no change is missed between reading and waiting; one
    /// without isolation is told by the thread that delivers, and may miss a change that another
    /// thread makes before its tracking has begun, and then those that follow, until it reads again.
    ///
    /// - Parameters:
    ///   - path: What to read.
    ///   - isolation: The actor that the caller runs on. The compiler knows, except for a closure inside
    ///     an actor that does not use `self`; say `isolation: self` there.
    /// - Complexity: a look-up more than ``state``. A value that was read subscribes until it has
    ///   changed twice without being read; from then on it costs commits nothing.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        path: any KeyPath<State, Value> & Sendable, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        readObserved(path, .changes, on: isolation)
            ?? observe(path, .changes, isSame: Self.equal(Value.self), on: isolation)
    }

    /// The value at a key path that cannot be compared; each commit that may have changed it is told.
    @inlinable
    public subscript<Value: Sendable>(
        path: any KeyPath<State, Value> & Sendable, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        readObserved(path, .everyCommit, on: isolation)
            ?? observe(path, .everyCommit, isSame: Change.bothAbsent(Value.self), on: isolation)
    }

    /// A row of a table, nil while there is none, for those who may track what they read: a change
    /// of this row is told, and no other.
    @inlinable
    public subscript<Row: Identifiable & Equatable & Sendable>(
        path: any KeyPath<State, EntityTable<Row>> & Sendable, id id: Row.ID,
        isolation isolation: (any Actor)? = #isolation
    ) -> Row? where Row.ID: Sendable {
        observeRow(path, id: id, on: isolation) { changed in
            subscribe(
                toRowOf: path,
                Listening(initially: false, policy: .every, actor: nil, here: nil),
                TypedRowSubscriber<Row, Row?>(id) { _, _ in changed() })
        }
    }

    /// A stored value where it was read before and is still armed; compiled in the client.
    @inlinable @inline(__always)
    func readObserved<Value>(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind,
        on reader: (any Actor)?
    ) -> Value? {
        guard projection.derive == nil,
            let observed = engine.beginObserved(path, from: projection.offset, kind, on: reader)
        else { return nil }
        let value = engine.address(at: observed.offset).assumingMemoryBound(to: Value.self).pointee
        engine.unlock()
        observed.access()
        return value
    }

    @usableFromInline
    func observeRow<Row: Identifiable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID,
        on reader: (any Actor)?, subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Row? where Row.ID: Sendable {
        let source = projection.source(of: path, id: id)
        return observe(source, .rows, on: reader, projection.appending(path), subscribe)[id: id]
    }

    @usableFromInline
    package func observe<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind,
        isSame: Change.IsSame?, on reader: (any Actor)?
    ) -> Value {
        let source = key(path, kind)?.source
        let value = observe(source, kind, on: reader, projection.appending(path)) { changed in
            subscribe(
                to: path, kind, isSame: isSame,
                Listening(initially: false, policy: .every, actor: nil, here: nil),
                PointerSubscriber { _, _ in changed() })
        }
        if case .field(let offset, _)? = source, let source {
            engine.noteSite(
                ObservedSite(path, from: projection.offset, kind, reader: reader), path,
                of: ObservedKey(source, kind, reader: reader), offset: offset)
        }
        return value
    }

    /// Reads a value, of whose changes `subscribe` can tell.
    private func observe<Value>(
        _ source: GroupKey.Source?, _ kind: GroupKey.Kind, on reader: (any Actor)?,
        _ projection: Projection<Value>,
        _ subscribe: (@escaping @Sendable () -> Void) -> Subscription
    ) -> Value {
        // Stores are scoped by key paths and ids, so there is always something that names a value.
        guard let source else { return engine.read(projection) }
        return engine.observe(
            ObservedKey(source, kind, reader: reader), on: reader, projection,
            subscribe: subscribe)
    }
}
