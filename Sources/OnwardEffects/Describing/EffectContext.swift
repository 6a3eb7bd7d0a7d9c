// SPDX-License-Identifier: MIT

public import OnwardCore

/// What an effect uses to read from its store and to report back to it.
///
/// Effects run outside the lock, in their own tasks; everything here may be used from any thread. A
/// context keeps neither its store alive nor its effect running.
public struct EffectContext<State: Sendable>: Sendable {
    var owner: EffectOwner
    private let read: @Sendable (EffectOwner) -> State

    init(_ owner: EffectOwner, reading read: @escaping @Sendable (EffectOwner) -> State) {
        self.owner = owner
        self.read = read
    }

    /// The engine of the store.
    package var engine: Engine { owner.engine }

    /// The current state of the feature that lists the effect; once its optional slice or row is
    /// gone, the last state that the effect has seen.
    ///
    /// Later actions may have changed the state since the effect was started. To work with the
    /// state right after the starting action, let ``OnAction`` pass it to its closure and capture
    /// what you need.
    ///
    /// - Complexity: O(size of the state's struct), without copying what it refers to.
    public var current: State { read(owner) }

    /// The instance of the feature that the effect belongs to; where it is now, if a row on the way
    /// to it has got another id.
    public var address: Address { owner.address }

    /// The store's clock.
    public var clock: any Clock<Duration> { owner.engine.options.clock }

    /// The current time of the store's wall clock, `StoreOptions.wallClock`, for use in actions and
    /// state, such as for the end of a countdown.
    ///
    /// In a `TestStore`, it follows the test's clock.
    public var now: Timestamp { owner.engine.options.wallClock() }

    /// Random numbers for this effect, always the same for the same seed of the store, entry and
    /// instance.
    public var random: RandomSource { owner.random }

    /// Ids for this effect, always the same for the same seed of the store, entry and instance.
    public var ids: IDSource { owner.ids }

    /// Dispatches an action to the instance that the effect belongs to.
    ///
    /// Works like a store's dispatch; the entry's parent is the entry that started the effect. The
    /// action is refused as ``Refusal/expired`` once the effect was cancelled or has ended, its
    /// instance is gone, or the current task is cancelled, so late answers change nothing.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(action, file: file, line: line, isolation: isolation) { $0 }
    }

    /// Dispatches to an address that depends on that of the instance; nil for none.
    private func dispatch<A: Action>(
        _ action: A, file: String, line: Int, isolation: (any Actor)?,
        near address: (Address) -> Address?
    ) -> DispatchResult {
        let owner = owner
        return owner.dispatch { place in
            guard let target = address(place.address) else { return .refused(.absent) }
            return Dispatch.with(
                action, to: owner.isOver ? target : owner.engine.settled(target),
                from: ActionOrigin(file: file, line: line), on: isolation
            ) { owner.dispatch($0, at: place) }
        }
    }

    /// Dispatches an action to an instance anywhere in the store.
    ///
    /// Otherwise works like the dispatch without an address.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - address: The receiving instance, from the root of the store; ``Address/root`` for every
    ///     feature that handles the action, including siblings of the same feature.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to address: Address, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        let address = owner.isOver ? address : owner.engine.settled(address)
        return Dispatch.with(
            action, to: address, from: ActionOrigin(file: file, line: line), on: isolation
        ) { owner.dispatch($0) }
    }

    /// Dispatches an action to an instance inside the one that the effect belongs to: a row, or the
    /// feature of a slice.
    ///
    /// Otherwise works like the dispatch to an address.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance, as `.row(\.tasks, id: 7)` or `.child(\.detail)`.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    @discardableResult
    public func dispatch(
        _ action: some Action, to instance: AddressPath<State>, file: String = #fileID,
        line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(action, file: file, line: line, isolation: isolation) {
            $0.appending(instance.address)
        }
    }

    /// Dispatches an action to the parent of the instance that the effect belongs to: the feature
    /// that scopes it, but neither the instance itself nor its siblings.
    ///
    /// Otherwise works like the dispatch to an address.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - relative: ``RelativeAddress/parent``.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action; ``Refusal/absent`` at the root of the store.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to relative: RelativeAddress, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(action, file: file, line: line, isolation: isolation) {
            relative.address(from: $0)
        }
    }
}

extension EffectContext {
    /// Dismisses the presented feature that the effect belongs to or is nested in, by setting the
    /// property that holds it to nil; see ``Present``.
    ///
    /// The effect ends with the feature.
    ///
    /// - Returns: What became of the action; ``Refusal/absent`` if the feature is already gone.
    @discardableResult
    public func dismiss(
        file: String = #fileID, line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(PresentationAction.dismiss, file: file, line: line, isolation: isolation) {
            owner.engine.presented(around: $0) ?? $0
        }
    }

    /// Calls `body` when the store ends, after its effects have ended; a later call for the same
    /// owner replaces the first.
    ///
    /// - Returns: False, without calling `body`, if the store has already ended.
    @discardableResult
    package func atEnd(of owner: AnyObject, _ body: @escaping @Sendable () -> Void) -> Bool {
        self.owner.engine.atEnd(of: owner, body)
    }
}
