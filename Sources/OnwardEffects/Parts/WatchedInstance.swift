// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An instance of a feature whose effects follow a selection of its own.
struct WatchedInstance<Slice: Sendable>: Sendable {
    let lens: SliceLens
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
        guard let store: Store<Slice> = engine.store(at: lens, address) else { return nil }
        let watch = InstanceWatch(runner)
        let token = selection.subscribe(
            store, Listening(initially: initially, actor: nil, here: nil),
            SelectionBody { [weak watch] old, new in
                watch?.change(isKept: kind == .state) { start(kind) { effect(old, new, $0) } }
            })
        watch.keep(token)
        return watch
    }

    private func start(
        _ kind: RunningEffect.Kind, _ effect: (EffectContext<Slice>) -> Effect
    ) -> EffectOwner? {
        if lifetime?.isOver == true { return nil }
        let owner = EffectOwner(
            engine: engine, runner: runner, kind: kind, lifetime: lifetime, address: address,
            action: nil, startedBy: ThreadFrame.innermost(of: engine.id)?.entry, order: order)
        guard let context = EffectContext<Slice>(of: lens, owner) else {
            owner.release()
            return nil
        }
        runner.begin(effect(context), in: owner)
        return owner
    }
}

/// The subscription of a watched instance, with the effect that it keeps alive.
final class InstanceWatch: Sendable {
    private struct State {
        var token: Subscription?
        var owner: EffectOwner?
        var isEnded = false
    }

    private unowned let runner: EffectRunner
    private let state = Guarded(State())

    init(_ runner: EffectRunner) { self.runner = runner }

    /// Keeps the subscription; one that comes after the end is cancelled.
    func keep(_ token: Subscription) {
        let isLate = state.withValue { state in
            if !state.isEnded { state.token = token }
            return state.isEnded
        }
        if isLate { token.cancel() }
    }

    /// Starts an effect; one that is kept ends the one before, and ends with the watch.
    func change(isKept: Bool, _ start: () -> EffectOwner?) {
        guard isKept else {
            if !state.withValue({ $0.isEnded }) { start()?.release() }
            return
        }
        if let old = state.withValue({ $0.owner.take() }) { runner.cancel(old) }
        if state.withValue({ $0.isEnded }) { return }
        guard let new = start() else { return }
        let isLate = state.withValue { state in
            if !state.isEnded { state.owner = new }
            return state.isEnded
        }
        if isLate { runner.cancel(new) }
        new.release()
    }

    /// Cancels the subscription and the effect that it keeps alive.
    func end() {
        let (token, owner) = state.withValue { state in
            state.isEnded = true
            return (state.token.take(), state.owner.take())
        }
        token?.cancel()
        if let owner { runner.cancel(owner) }
    }
}
