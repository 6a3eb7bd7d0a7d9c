// SPDX-License-Identifier: MIT

public import OnwardCore

/// What an effect can ask of its store, and report to it.
///
/// Effects run outside the lock, in tasks of their own; everything here may be used from any thread.
/// A context keeps neither its store alive nor its effect running.
public struct EffectContext<State: Sendable>: Sendable {
    var owner: EffectOwner
    private let read: @Sendable (EffectOwner) -> State

    init(_ owner: EffectOwner, reading read: @escaping @Sendable (EffectOwner) -> State) {
        self.owner = owner
        self.read = read
    }

    /// The state of the feature that lists the effect, as it is now; when its optional slice or row is
    /// gone, the last one that the effect has seen.
    ///
    /// Later actions may have changed it since the one that started the effect. To work with the state that this
    /// action left, have ``OnAction`` pass it to its closure and capture what is needed.
    ///
    /// - Complexity: O(size of the state's struct), without copying what it refers to.
    public var current: State { read(owner) }

    /// The instance of the feature that the effect belongs to.
    public var address: Address { owner.address }

    /// The store's clock.
    public var clock: any Clock<Duration> { owner.engine.options.clock }

    /// The moment by the store's wall clock, `StoreOptions.wallClock`: what goes into actions and the state, such as
    /// when a countdown ends.
    ///
    /// In a `TestStore` it goes with the test's clock.
    public var now: Timestamp { owner.engine.options.wallClock() }

    /// Random numbers for this effect, always the same for the same seed of the store, entry and
    /// instance.
    public var random: RandomSource { owner.random }

    /// Ids for this effect, always the same for the same seed of the store, entry and instance.
    public var ids: IDSource { owner.ids }

    /// Dispatches an action to the instance that the effect belongs to.
    ///
    /// Works like the dispatch of a store; the entry's parent is the entry that started the effect.
    /// Refused as ``Refusal/expired`` once the effect was cancelled or has ended, its instance
    /// is gone, or the current task is cancelled: late answers change nothing.
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
        dispatch(action, to: owner.address, file: file, line: line, isolation: isolation)
    }

    /// Dispatches an action to an instance anywhere in the store.
    ///
    /// Otherwise works like the dispatch without an address.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - address: The instance that is meant, from the root of the store; ``Address/root`` for every feature
    ///     that handles it, siblings of the same feature included.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to address: Address, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        Dispatch.with(action, to: address, from: Origin(file: file, line: line), on: isolation) {
            owner.dispatch($0)
        }
    }

    /// Dispatches an action to an instance inside the one that the effect belongs to: a row, or the feature of a slice.
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
        dispatch(
            action, to: address.appending(instance.address), file: file, line: line,
            isolation: isolation)
    }

    /// Dispatches an action to the parent of the instance that the effect belongs to: the feature that
    /// scopes it, and neither the instance itself nor its siblings.
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
        guard let target = relative.address(from: address) else { return .refused(.absent) }
        return dispatch(action, to: target, file: file, line: line, isolation: isolation)
    }
}

extension EffectContext {
    /// Dismisses the presented feature that the effect belongs to, or is inside of: the property that holds it becomes
    /// nil; see ``Present``.
    ///
    /// The effect ends with it.
    ///
    /// - Returns: What became of it; ``Refusal/absent`` when it is gone already.
    @discardableResult
    public func dismiss(
        file: String = #fileID, line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(
            PresentationAction.dismiss, to: owner.engine.presented(around: address) ?? address,
            file: file, line: line, isolation: isolation)
    }

    /// Has `body` called when the store ends, after its effects have; a later call for the same owner
    /// replaces the first.
    ///
    /// - Returns: false, and `body` is not called, when the store has ended already.
    @discardableResult
    package func atEnd(of owner: AnyObject, _ body: @escaping @Sendable () -> Void) -> Bool {
        self.owner.engine.atEnd(of: owner, body)
    }
}
