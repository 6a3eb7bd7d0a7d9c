// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An instance of a feature whose effects follow a selection of its own.
struct WatchedInstance<Slice: Sendable>: Sendable {
    let lens: SliceLens
    /// Where it was when it came.
    let address: Address
    /// Nil if the instance lives as long as its store.
    let lifetime: InstanceLifetime?
    let order: Int
    let engine: Engine
    /// Kept by the engine.
    unowned let runner: EffectRunner

    /// Subscribes to a selection of the instance; nil if the instance is gone.
    ///
    /// `body` is called on the delivering thread, one call at a time, and decides what an effect
    /// starts with and what kind it is; an effect that `isReplacing` ends the one before.
    func watch<Value: Sendable>(
        _ selection: Selection<Slice, Value>, initially: Bool, _ kind: RunningEffect.Kind,
        _ effect:
            @escaping @Sendable (
                _ old: Value, _ new: Value, EffectContext<Slice>
            ) -> Effect
    ) -> InstanceWatch? {
        let watch = InstanceWatch(runner, of: lifetime)
        // What was seen last; where the instance cannot move, nobody asks.
        let last = Guarded<Value?>(nil)
        watch.begin { [weak watch] in
            let place = lifetime?.place
            guard
                let store: Store<Slice> = engine.store(at: lens, place?.address ?? address)
            else { return nil }
            return selection.subscribe(
                store,
                Listening(initially: initially || lifetime != nil, actor: nil, here: nil),
                SelectionBody { [weak watch] old, new in
                    var old = old
                    if let lifetime {
                        // Another row may have come to where it was.
                        guard lifetime.moves == place?.moves else { return }
                        var seen: Value? = new
                        last.withValue { swap(&$0, &seen) }
                        if let seen {
                            if isUnchanged(seen, new, by: selection.isSame) { return }
                            old = seen
                        } else if !initially {
                            return
                        }
                    }
                    watch?.change(isKept: kind == .state) { before in
                        start(kind, after: before) { effect(old, new, $0) }
                    }
                })
        }
        return watch.isFollowing ? watch : nil
    }

    private func isUnchanged<Value>(_ old: Value, _ new: Value, by isSame: Change.IsSame?) -> Bool {
        guard let isSame else { return false }
        return withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { isSame(old, $0) } }
    }

    private func start(
        _ kind: RunningEffect.Kind, after before: EffectOwner?,
        _ effect: (EffectContext<Slice>) -> Effect
    ) -> EffectOwner? {
        if lifetime?.isOver == true { return nil }
        let owner = EffectOwner(
            engine: engine, runner: runner, kind: kind, lifetime: lifetime, address: address,
            action: nil, startedBy: ThreadFrame.innermost(of: engine.id)?.entry, order: order)
        guard let context = EffectContext<Slice>(of: lens, owner) else {
            owner.release()
            return nil
        }
        let effect = effect(context)
        if let before, !effect.isNothing { owner.continueTicks(of: before) }
        runner.begin(effect, in: owner)
        return owner
    }
}

/// The subscription of a watched instance, with the effect that it keeps alive.
final class InstanceWatch: Sendable {
    private struct State {
        var subscribe: (@Sendable () -> Subscription?)?
        var token: Subscription?
        var owner: EffectOwner?
        var isEnded = false
    }

    private unowned let runner: EffectRunner
    /// Nil if the instance lives as long as its store.
    private let lifetime: InstanceLifetime?
    private let state = Guarded(State())

    init(_ runner: EffectRunner, of lifetime: InstanceLifetime?) {
        self.runner = runner
        self.lifetime = lifetime
    }

    /// Whether there is a subscription.
    var isFollowing: Bool { state.withValue { $0.token != nil } }

    /// Subscribes to the instance where it is, also when it has moved.
    func begin(_ subscribe: @escaping @Sendable () -> Subscription?) {
        state.withValue { $0.subscribe = subscribe }
        lifetime?.add(self)
        follow()
    }

    /// Follows the instance to another address.
    func follow() {
        let moves = lifetime?.moves
        guard let token = state.withValue({ $0.subscribe })?() else { return }
        let old = state.withValue { state in
            if state.isEnded { return token as Subscription? }
            defer { state.token = token }
            return state.token
        }
        old?.cancel()
        if lifetime?.moves != moves { follow() }
    }

    /// Starts an effect; one that is kept ends the one before, and ends with the watch.
    ///
    /// `start` receives the owner of the one before.
    func change(isKept: Bool, _ start: (EffectOwner?) -> EffectOwner?) {
        guard isKept else {
            if !state.withValue({ $0.isEnded }) { start(nil)?.release() }
            return
        }
        let old = state.withValue { $0.owner.take() }
        if let old { runner.cancel(old) }
        if state.withValue({ $0.isEnded }) { return }
        guard let new = start(old) else { return }
        let isLate = state.withValue { state in
            if !state.isEnded { state.owner = new }
            return state.isEnded
        }
        if isLate { runner.cancel(new) }
        new.release()
    }

    /// Cancels the subscription and the effect that it keeps alive.
    func end() {
        let (token, owner, subscribe) = state.withValue { state in
            state.isEnded = true
            return (state.token.take(), state.owner.take(), state.subscribe.take())
        }
        withExtendedLifetime(subscribe) {}
        lifetime?.remove(self)
        token?.cancel()
        if let owner { runner.cancel(owner) }
    }
}
