// SPDX-License-Identifier: MIT

internal import OnwardCore

/// One effect on its way from being handed over to its end.
// Immutable, except `state`, and `index`, which belongs to the runner's lock.
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
    let key: EffectSchedule.Key
    let effect: Effect
    let owner: EffectOwner
    let since: Timestamp
    /// Whether a task waits for the outcome, and takes care of an error.
    let isAwaited: Bool
    /// The job that waits for this one.
    let waiting: EffectJob?
    /// Whether that job does nothing else meanwhile, as this one is a part of it.
    let isPart: Bool
    /// Its position among the jobs of the runner; nil when it is not, or no longer, there.
    @exclusivity(unchecked) var index: Int?

    private struct State {
        var task: Task<Void, Never>?
        var outcome: Outcome?
        var waiters: [CheckedContinuation<Outcome, Never>] = []
    }

    private let lock = Lock()
    /// Under `lock`.
    @exclusivity(unchecked) private var state = State()

    init(
        key: EffectSchedule.Key, effect: Effect, owner: EffectOwner, since: Timestamp,
        isAwaited: Bool, within outer: EffectJob?, waiting: EffectJob?
    ) {
        self.key = key
        self.effect = effect
        self.owner = owner
        self.since = since
        self.isAwaited = isAwaited
        self.waiting = outer ?? waiting
        isPart = outer != nil
        // An owner without an end would be asked in vain.
        validity = PermitValidity(within: outer ?? (owner.hasEnd ? owner : nil))
        TaskPermit.noteUse()
    }

    var isOver: Bool { validity.isOver }

    /// What it counts as for tasks that wait; an effect that ends by itself is not kept alive by the state.
    var member: EffectTracker<CheckedContinuation<Void, Never>>.Member {
        .init(key: key, version: owner.startedBy, blocksIdle: owner.kind != .state)
    }

    /// What it ends with: its owner, and the lifetime of its instance.
    ///
    /// The owner of an action or a thunk has no end of its own.
    var ownerIDs: [ObjectIdentifier] {
        guard owner.hasEnd else { return [] }
        var ownerIDs: [ObjectIdentifier] = []
        if owner.kind == .state { ownerIDs.append(ObjectIdentifier(owner)) }
        if let lifetime = owner.lifetime { ownerIDs.append(ObjectIdentifier(lifetime)) }
        return ownerIDs
    }

    /// Whether it affects no other, as it has no id: the schedule does not know it.
    var isAlone: Bool { effect.id == nil }

    /// Where effects of the same id meet; nil for an effect without an id.
    var slot: EffectSchedule.Slot? {
        effect.id.map { EffectSchedule.Slot(address: owner.address, id: $0) }
    }

    /// Starts the task, which begins cancelled when the job was cancelled before.
    func start() {
        let executor = owner.runner.executor
        // Made under the lock: made before it, an effect takes 4,000 ns instead of 2,600 on two cores.
        lock.withLock {
            // The closures are written where the tasks are made, so that no thunk is between.
            state.task =
                if let executor {
                    Task(executorPreference: executor) { await self.run() }
                } else {
                    Task { await self.run() }
                }
        }
        if isOver { cancel() }
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

    /// Notifies the outcome to its waiters, when it has expired.
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
    /// Meanwhile the job that the current task works for, and those that wait for it, are not at work.
    /// `wait` learns whether there are any.
    static func resting(in engine: Engine, _ wait: (_ isInside: Bool) async -> Void) async {
        let jobs = sequence(first: current) { $0?.waiting }.prefix { $0 != nil }
            .compactMap { $0?.owner.engine === engine ? $0 : nil }
        guard !jobs.isEmpty else { return await wait(false) }
        let runner = engine.effects
        await wait(runner.rest(jobs))
        runner.goOn(jobs)
    }

    /// The job as others see it.
    func description(_ phase: RunningEffect.Phase) -> RunningEffect {
        RunningEffect(
            number: key, id: effect.id, kind: owner.kind, address: owner.address,
            action: owner.action, startedBy: owner.startedBy, origin: effect.origin, since: since,
            phase: phase)
    }
}
