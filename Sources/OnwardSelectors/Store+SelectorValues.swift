// SPDX-License-Identifier: MIT

public import OnwardCore
internal import OnwardObservation

extension Store {
    /// The values of a selector, one after the other: the current one, then each change.
    ///
    /// While somebody iterates, the selector has a subscriber.
    ///
    /// - Parameters:
    ///   - selector: What to read.
    ///   - buffering: What to keep for a reader who is slower than the store.
    /// - Returns: A sequence that ends with the store, or with the slice that this is the store of.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        of selector: Selector<State, Value>, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: Self.equal(Value.self)) { store, tell in
            store.subscribe(selector, initially: true, isolation: nil) { _, new in tell(new) }
        }
    }

    /// The values of a selector that cannot be compared: the current one, then each that was computed
    /// anew.
    @inlinable
    public func values<Value: Sendable>(
        of selector: Selector<State, Value>, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: nil) { store, tell in
            store.subscribe(selector, initially: true, isolation: nil) { _, new in tell(new) }
        }
    }

    /// The value of a selector, for those who may track what they read: inside
    /// `withObservationTracking` (a SwiftUI body, `Observations`), a change of this value is told.
    ///
    /// As the subscript for key paths; outside of tracking, ``value(of:)`` costs less.
    ///
    /// - Parameters:
    ///   - selector: What to read.
    ///   - isolation: The actor that the caller runs on.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        selector: Selector<State, Value>, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        observe(selector, .changes, isSame: Self.equalResults(Value.self), on: isolation)
    }

    /// The value of a selector that cannot be compared; each one that is computed anew is told.
    @inlinable
    public subscript<Value: Sendable>(
        selector: Selector<State, Value>, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        observe(selector, .everyCommit, isSame: Self.sameResults(Value.self), on: isolation)
    }

    /// Reads the value of a selector for someone who may track it.
    @usableFromInline
    func observe<Value: Sendable>(
        _ selector: Selector<State, Value>, _ kind: GroupKey.Kind, isSame: Change.IsSame?,
        on reader: (any Actor)?
    ) -> Value {
        let source = source(selector, kind)
        return engine.observe(
            ObservedKey(source.key.source, kind, reader: reader), on: reader,
            reading: { value(of: selector) }
        ) { changed in
            engine.subscribe(
                to: source.selection, of: nil, at: nil, key: sharing(source.key), isSame: isSame,
                Listening(initially: false, policy: .every, actor: nil, here: nil),
                PointerSubscriber { _, _ in changed() })
        }
    }
}
