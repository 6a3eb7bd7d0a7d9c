// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A registered `React` without its types.
class Reaction: @unchecked Sendable {  // Immutable, here and in its subclasses.
    /// What the closure answers; nil when the instance is gone.
    ///
    /// - Precondition: `action` points to an initialised value of the type that the answer is for.
    func effect(of action: UnsafeRawPointer, in scope: EffectScope) -> Effect? { nil }
}

/// The answers to one type of action for an instance that lives as long as its store.
// Immutable, hence `@unchecked`.
final class LastingReaction<Slice: Sendable, A: Action>: Reaction, @unchecked Sendable {
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect
    /// Made once, so that a call needs nothing new.
    private let read: @Sendable (EffectScope) -> Slice

    init(
        body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect,
        reading read: @escaping @Sendable (EffectScope) -> Slice
    ) {
        self.body = body
        self.read = read
    }

    override func effect(of action: UnsafeRawPointer, in scope: EffectScope) -> Effect? {
        body(
            action.assumingMemoryBound(to: A.self).pointee, EffectContext(scope, reading: read))
    }
}

/// The answers to one type of action for instances that come and go.
// Immutable, hence `@unchecked`.
final class InstanceReaction<Slice: Sendable, A: Action>: Reaction, @unchecked Sendable {
    private let place: Place
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect

    init(place: Place, body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect) {
        self.place = place
        self.body = body
    }

    override func effect(of action: UnsafeRawPointer, in scope: EffectScope) -> Effect? {
        guard let context = EffectContext<Slice>(of: place, scope) else { return nil }
        return body(action.assumingMemoryBound(to: A.self).pointee, context)
    }
}

extension EffectContext {
    /// What reads the instance at a place that is always there; nil for any other place.
    static func reader(of place: Place) -> (@Sendable (EffectScope) -> State)? {
        guard place.finder == nil else { return nil }
        let projection = Projection<State>(range: place.range, derive: nil)
        return { $0.engine.read(projection) }
    }

    /// The context of an instance at a place; nil when the instance is gone.
    init?(of place: Place, _ scope: EffectScope) {
        if let read = Self.reader(of: place) {
            self.init(scope, reading: read)
            return
        }
        let first: State? = scope.engine.instance(at: place, of: scope)
        guard let first else { return nil }
        let last = Guarded(first)
        self.init(scope) { scope in
            guard !scope.isOver else { return last.withValue { $0 } }
            let found: State? = scope.engine.instance(at: place, of: scope)
            guard let found else { return last.withValue { $0 } }
            // The previous one is released outside the lock.
            var seen = found
            last.withValue { swap(&$0, &seen) }
            return found
        }
    }
}
