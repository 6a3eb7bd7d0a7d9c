// SPDX-License-Identifier: MIT

internal import OnwardCore

/// One effect, from its submission to its end.
// Immutable, except `state` and `key`.
final class EffectJob: DispatchPermit, @unchecked Sendable {
    /// What became of a job.
    enum Outcome: Sendable {
        case finished
        case failed(any Error)
        /// It was cancelled, or never started.
        case cancelled
    }

    /// The job that the current task works for.
    static var current: EffectJob? { TaskPermit.current as? EffectJob }

    private let validity: PermitValidity
    let effect: Effect
    /// What it does in its task: the work inside the gates that the table makes it pass first.
    let work: EffectWork
    let owner: EffectOwner
    let since: Timestamp
    /// Whether a task waits for the outcome, and handles an error.
    let isAwaited: Bool
    /// The job that waits for this one.
    let whole: EffectJob?
    /// What the table has to know.
    let traits: EffectRunner.Table.Traits
    /// Set under the runner's lock when the table knows the job, before anything else can.
    @exclusivity(unchecked) var key = EffectRunner.Table.Key.none

    private struct State {
        var task: Task<Void, Never>?
        /// Resumed with whether the job passes where it is held.
        var held: CheckedContinuation<Bool, Never>?
        var outcome: Outcome?
        var waiters: [CheckedContinuation<Outcome, Never>] = []
    }

    private let lock = Lock()
    /// Under `lock`.
    @exclusivity(unchecked) private var state = State()

    init(
        _ effect: Effect, in owner: EffectOwner, since: Timestamp, isAwaited: Bool,
        for whole: EffectJob?, isPart: Bool
    ) {
        self.effect = effect
        self.owner = owner
        self.since = since
        self.isAwaited = isAwaited
        self.whole = whole
        var traits = EffectRunner.Table.Traits(
            version: owner.startedBy, blocksIdle: owner.kind != .state, owners: owner.ends)
        // A job of another store is in another table.
        if let whole, whole.owner.runner === owner.runner {
            (traits.whole, traits.isPart) = (whole.key, isPart)
        }
        (traits.place, work) = effect.place(in: owner)
        self.traits = traits
        // There is nothing to ask an owner without an end.
        validity = PermitValidity(within: isPart ? whole : (owner.hasEnd ? owner : nil))
        TaskPermit.noteUse()
    }

    var isOver: Bool { validity.isOver }

    /// Passes: continues where it is held, or begins.
    func go() {
        if let held = lock.withLock({ state.held.take() }) {
            held.resume(returning: true)
        } else {
            start()
        }
    }

    /// Does not pass where it is held; false when it has not begun.
    func turnAway() -> Bool {
        guard let held = lock.withLock({ state.held.take() }) else { return false }
        held.resume(returning: false)
        return true
    }

    /// Is held until it passes or is turned away.
    func hold(_ continuation: CheckedContinuation<Bool, Never>) {
        lock.withLock { state.held = continuation }
    }

    /// Starts the task, which begins cancelled when the job was cancelled before.
    private func start() {
        // The closures are written where the tasks are made, to avoid a thunk in between. An
        // executor may run the task at once, to its end.
        let task =
            if let executor = owner.runner.executor {
                Task(executorPreference: executor) { await self.run() }
            } else {
                Task { await self.run() }
            }
        lock.withLock { state.task = task }
        if isOver { task.cancel() }
    }

    /// Inlined, as `EffectRunner.run` is.
    @inline(__always)
    private func run() async { await owner.runner.run(self) }

    /// Ends the right to dispatch.
    func expire() { validity.end() }

    /// Ends the right to dispatch, and cancels the task.
    func cancel() {
        validity.end()
        lock.withLock { state.task }?.cancel()
    }

    /// Hands the outcome to those that wait for it, when it has expired.
    func end(with outcome: Outcome) {
        let waiters = lock.withLock {
            defer { state.waiters = [] }
            state.outcome = outcome
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// Waits for the outcome.
    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = lock.withLock {
                if state.outcome == nil { state.waiters.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Does `wait`, which waits for effects of a store.
    ///
    /// Meanwhile, the job that the current task works for, and those that wait for it, are not at
    /// work. `wait` receives whether there are any.
    static func resting(
        in engine: Engine, on target: EffectRunner.Table.Target? = nil,
        _ wait: (_ isInside: Bool) async -> Void
    ) async {
        let jobs = sequence(first: current) { $0?.whole }.prefix { $0 != nil }
            .compactMap { $0?.owner.engine === engine ? $0 : nil }
        guard !jobs.isEmpty else { return await wait(false) }
        await engine.effects.resting(jobs, on: target, wait)
    }

    /// The job as others see it.
    func description(_ phase: RunningEffect.Phase, isResting: Bool = false) -> RunningEffect {
        RunningEffect(
            number: key.number, name: effect.id, kind: owner.kind, address: owner.address,
            action: owner.action, startedBy: owner.startedBy, origin: effect.origin, since: since,
            phase: phase, isResting: isResting)
    }
}
