// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A registered `OnAction` without its types.
///
/// Where its instance lives as long as the store, most calls have nothing to do, so the owner of a call is reused for the
/// next one unless it was kept. It belongs to the holder of the turn, which makes one call at a time.
// Immutable, here and in its subclasses, except for what belongs to the holder of the turn; hence `@unchecked`.
class EffectClosure: @unchecked Sendable {
    /// What the closure answers, for an instance that lives as long as its store.
    ///
    /// Unless that is nothing, the owner must then be taken or put aside. Called by the holder of the turn, which keeps the
    /// engine.
    ///
    /// - Precondition: `action` points to an initialised value of the type that is responded to.
    func effect(
        of action: UnsafeRawPointer, in version: CommitVersion, _ responder: Responder,
        _ runner: EffectRunner, _ engine: Engine
    ) -> Effect { .none }

    /// Prepares the owner of the last call for the next one; false if something kept it.
    func putOwnerAside() -> Bool { false }

    /// The owner of the last call, if it has effects or was kept; to be released by the caller.
    func takeOwner(_ responder: Responder) -> EffectOwner? { nil }

    /// What the closure answers for any other instance; nil when that is gone.
    ///
    /// - Precondition: `action` points to an initialised value of the type that is responded to, and `state` was copied by
    ///   `copyState`.
    func effect(of action: UnsafeRawPointer, in owner: EffectOwner, _ state: StateCopy?) -> Effect?
    {
        nil
    }

    /// The state of an instance right after the action, under the store's lock; nil if the closure
    /// takes none.
    func copyState(of address: Address, in root: UnsafeRawPointer) -> StateCopy? { nil }
}

/// Responds to one type of action for an instance that lives as long as its store.
// Immutable except for `call`, which belongs to the holder of the turn, hence `@unchecked`.
final class LastingClosure<Slice: Sendable, A: Action>: EffectClosure, @unchecked Sendable {
    private let body: ClosureBody<Slice, A>
    /// Made once, so that a call needs nothing new.
    private let read: @Sendable (EffectOwner) -> Slice
    /// What the current or next call receives; nil before the first one.
    @exclusivity(unchecked) private var call: ClosureCall<Slice>?

    init(
        reading read: @escaping @Sendable (EffectOwner) -> Slice,
        _ body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect
    ) {
        self.body = ClosureBody(body)
        self.read = read
    }

    override func effect(
        of action: UnsafeRawPointer, in version: CommitVersion, _ responder: Responder,
        _ runner: EffectRunner, _ engine: Engine
    ) -> Effect {
        if call?.begin(in: version, engine) == nil {
            let owner = EffectOwner(
                lent: engine, runner: runner, address: responder.address, startedBy: version,
                order: responder.order)
            call = ClosureCall(context: EffectContext(owner, reading: read))
        }
        let effect = answer(to: action)
        if effect.isNothing, !putOwnerAside() { takeOwner(responder)?.release() }
        return effect
    }

    @inline(__always)
    private func answer(to action: UnsafeRawPointer) -> Effect {
        switch call {
        case .some(let call): body(action, call)
        case .none: .none
        }
    }

    override func putOwnerAside() -> Bool {
        call?.end() == true
    }

    override func takeOwner(_ responder: Responder) -> EffectOwner? {
        call?.takeOwner(responder)
    }
}

/// What an `OnAction` closure receives besides the action, used in place because passing copies
/// would retain two references.
struct ClosureCall<Slice: Sendable>: ~Copyable {
    fileprivate(set) var context: EffectContext<Slice>

    /// Makes the owner that of another call; the last call has ended.
    mutating func begin(in version: CommitVersion, _ engine: Engine) {
        context.owner.take(up: engine, startedBy: version)
    }

    /// The owner, from here on like any other; another one takes its place.
    ///
    /// It is replaced at once: otherwise the property would have to be optional, and assigning such
    /// a property in generic code is slow.
    mutating func takeOwner(_ responder: Responder) -> EffectOwner {
        var owner = EffectOwner(
            lent: context.owner.engine, runner: context.owner.runner, address: responder.address,
            startedBy: 0, order: responder.order)
        swap(&owner, &context.owner)
        owner.keepEngine()
        return owner
    }

    /// Whether the owner can be reused for another call because nothing kept it.
    mutating func end() -> Bool {
        guard isKnownUniquelyReferenced(&context.owner) else { return false }
        context.owner.putAside()
        return true
    }
}

/// An `OnAction` closure that is called with values behind pointers.
///
/// Nothing in here can be copied by accident, because each copy would retain references.
struct ClosureBody<Slice: Sendable, A: Action>: ~Copyable, Sendable {
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect

    init(_ body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect) {
        self.body = body
    }

    /// - Precondition: `action` points to an initialised value of `A`.
    func callAsFunction(
        _ action: UnsafeRawPointer, _ call: borrowing ClosureCall<Slice>
    ) -> Effect {
        self(Borrowed<A>.at(action).pointee, call)
    }

    /// Not inlined: only a call passes a borrowed action on without copying it.
    @inline(never)
    private func callAsFunction(
        _ action: borrowing Borrowed<A>, _ call: borrowing ClosureCall<Slice>
    ) -> Effect {
        body(action.value, call.context)
    }
}

/// Responds to one type of action for instances that come and go.
// Immutable, hence `@unchecked`.
final class InstanceClosure<Slice: Sendable, A: Action>: EffectClosure, @unchecked Sendable {
    private let lens: SliceLens
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect

    init(at lens: SliceLens, _ body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect) {
        self.lens = lens
        self.body = body
    }

    override func effect(
        of action: UnsafeRawPointer, in owner: EffectOwner, _ state: StateCopy?
    ) -> Effect? {
        guard let context = EffectContext<Slice>(of: lens, owner) else { return nil }
        return body(action.assumingMemoryBound(to: A.self).pointee, context)
    }
}

/// The state of an instance as an action left it, without its type.
class StateCopy: @unchecked Sendable {}  // Immutable, here and in its one subclass.

private final class TypedStateCopy<Slice: Sendable>: StateCopy, @unchecked Sendable {
    let state: Slice

    init(_ state: Slice) { self.state = state }
}

/// Responds to one type of action with the state as the action left it.
// Immutable, hence `@unchecked`.
final class StateClosure<Slice: Sendable, A: Action>: EffectClosure, @unchecked Sendable {
    private let lens: SliceLens
    private let body: @Sendable (Slice, A, EffectContext<Slice>) -> Effect

    init(
        at lens: SliceLens, _ body: @escaping @Sendable (Slice, A, EffectContext<Slice>) -> Effect
    ) {
        self.lens = lens
        self.body = body
    }

    override func effect(
        of action: UnsafeRawPointer, in owner: EffectOwner, _ state: StateCopy?
    ) -> Effect? {
        guard let state, let context = EffectContext<Slice>(of: lens, owner) else { return nil }
        return body(
            unsafeDowncast(state, to: TypedStateCopy<Slice>.self).state,
            action.assumingMemoryBound(to: A.self).pointee, context)
    }

    override func copyState(of address: Address, in root: UnsafeRawPointer) -> StateCopy? {
        lens.value(of: address, in: root, as: Slice.self).map(TypedStateCopy.init)
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
