// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A registered `React` without its types.
class Reaction: @unchecked Sendable {  // Immutable, here and in its subclasses.
    /// What the closure answers; nil when the instance is gone.
    ///
    /// - Precondition: `action` points to an initialised value of the type that the answer is for.
    func effect(of action: UnsafeRawPointer, in owner: EffectOwner) -> Effect? { nil }
}

/// The answers to one type of action for an instance that lives as long as its store.
// Immutable, hence `@unchecked`.
final class LastingReaction<Slice: Sendable, A: Action>: Reaction, @unchecked Sendable {
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect
    /// Made once, so that a call needs nothing new.
    private let read: @Sendable (EffectOwner) -> Slice

    init(
        body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect,
        reading read: @escaping @Sendable (EffectOwner) -> Slice
    ) {
        self.body = body
        self.read = read
    }

    override func effect(of action: UnsafeRawPointer, in owner: EffectOwner) -> Effect? {
        body(
            action.assumingMemoryBound(to: A.self).pointee, EffectContext(owner, reading: read))
    }
}

/// The answers to one type of action for instances that come and go.
// Immutable, hence `@unchecked`.
final class InstanceReaction<Slice: Sendable, A: Action>: Reaction, @unchecked Sendable {
    private let lens: SliceLens
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect

    init(lens: SliceLens, body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect) {
        self.lens = lens
        self.body = body
    }

    override func effect(of action: UnsafeRawPointer, in owner: EffectOwner) -> Effect? {
        guard let context = EffectContext<Slice>(of: lens, owner) else { return nil }
        return body(action.assumingMemoryBound(to: A.self).pointee, context)
    }
}

extension EffectContext {
    /// What reads the instance of a lens that is always there; nil for any other lens.
    static func reader(of lens: SliceLens) -> (@Sendable (EffectOwner) -> State)? {
        guard lens.finder == nil else { return nil }
        let getter = Getter<State>(range: lens.range, derive: nil)
        return { $0.engine.read(getter) }
    }

    /// The context of an instance of a lens; nil when the instance is gone.
    init?(of lens: SliceLens, _ owner: EffectOwner) {
        if let read = Self.reader(of: lens) {
            self.init(owner, reading: read)
            return
        }
        let first: State? = owner.engine.instance(at: lens, of: owner)
        guard let first else { return nil }
        let last = Guarded(first)
        self.init(owner) { owner in
            guard !owner.isOver else { return last.withValue { $0 } }
            let found: State? = owner.engine.instance(at: lens, of: owner)
            guard let found else { return last.withValue { $0 } }
            // The previous one is released outside the lock.
            var seen = found
            last.withValue { swap(&$0, &seen) }
            return found
        }
    }
}
