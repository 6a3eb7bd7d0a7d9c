// SPDX-License-Identifier: MIT

/// The shell around `EffectSchedule`: holds the effects of a store, their tasks and timers, and
/// those who wait for their end.
///
/// Its lock may be taken while the engine's lock is held, never the other way round; nothing that
/// belongs to others is called under it.
final class EffectRunner: @unchecked Sendable {  // Everything mutable is under `lock`.
    private let lock = Lock()
    private var schedule = EffectSchedule()
    private var jobs: [EffectSchedule.Key: EffectJob] = [:]
    private var lastKey: EffectSchedule.Key = 0
    /// The jobs of each scope.
    private var keys: [ObjectIdentifier: Set<EffectSchedule.Key>] = [:]
    /// How many jobs there are that no piece of state keeps alive; all, and by entry.
    private var unrest = 0
    private var unrestOfEntry: [Version: Int] = [:]
    private var timers: [EffectSchedule.Slot: Task<Void, Never>] = [:]
    /// The commits whose reactions are due.
    private var due: Set<Version> = []
    private var waiters: [UInt64: Waiter] = [:]
    private var lastWaiter: UInt64 = 0
    private var whiles: [WhileWatch] = []
    private let clock: any Clock<Duration>
    /// Where timers run.
    private let executor: (any TaskExecutor)?
    private let time: Stopwatch

    init(clock: any Clock<Duration>, executor: (any TaskExecutor)?) {
        self.clock = clock
        self.executor = executor
        time = Stopwatch(clock)
    }

    /// What somebody waits for.
    private enum Goal {
        /// All effects have ended, but for those of a state and one that is asking.
        case quiet(except: EffectSchedule.Key?)
        /// All effects have ended.
        case empty
        /// The effects of an entry have ended.
        case end(of: Version)
    }

    private struct Waiter {
        let goal: Goal
        let continuation: CheckedContinuation<Void, Never>
    }

    // MARK: Effects

    /// Starts what an effect consists of, each part as a job of its own.
    func begin(_ effect: Effect, in scope: EffectScope) {
        guard effect.isBare else {
            _ = submit(effect, in: scope)
            return
        }
        switch effect.work {
        case .none: break
        case .merge(let effects): for effect in effects { begin(effect, in: scope) }
        case .cancel(let id): cancel(EffectSchedule.Slot(address: scope.address, id: id))
        default: _ = submit(effect, in: scope)
        }
    }

    /// Hands a job over.
    func submit(
        _ effect: Effect, in scope: EffectScope, isAwaited: Bool = false,
        within outer: EffectLease? = nil
    ) -> EffectJob {
        let since = scope.engine.options.wallClock()
        let now = time.elapsed()
        scope.hold()
        let (job, steps) = lock.withLock {
            lastKey += 1
            let job = EffectJob(
                key: lastKey, effect: effect, scope: scope, since: since, isAwaited: isAwaited,
                within: outer)
            add(job)
            return (
                job, schedule.submit(job.key, to: job.slot, effect.policy, effect.pace, at: now)
            )
        }
        perform(steps)
        return job
    }

    /// Cancels the effects of an id.
    func cancel(_ slot: EffectSchedule.Slot) {
        change { $0.cancel(slot) }
    }

    /// Cancels one effect.
    func cancel(_ job: EffectJob) {
        change { $0.cancel(job.key) }
    }

    /// Cancels everything that was started by a cause.
    func cancel(_ scope: EffectScope) {
        scope.lease.end()
        let keys = lock.withLock {
            (self.keys[ObjectIdentifier(scope)] ?? []).sorted()
        }
        for key in keys { change { $0.cancel(key) } }
    }

    /// Under the lock.
    private func add(_ job: EffectJob) {
        jobs[job.key] = job
        keys[ObjectIdentifier(job.scope), default: []].insert(job.key)
        guard job.isUnrest else { return }
        unrest += 1
        if let version = job.scope.startedBy { unrestOfEntry[version, default: 0] += 1 }
    }

    /// Under the lock.
    @discardableResult
    private func remove(_ key: EffectSchedule.Key) -> EffectJob? {
        guard let job = jobs.removeValue(forKey: key) else { return nil }
        let scope = ObjectIdentifier(job.scope)
        keys[scope]?.remove(key)
        if keys[scope]?.isEmpty == true { keys[scope] = nil }
        guard job.isUnrest else { return job }
        unrest -= 1
        if let version = job.scope.startedBy {
            unrestOfEntry[version, default: 0] -= 1
            if unrestOfEntry[version] == 0 { unrestOfEntry[version] = nil }
        }
        return job
    }

    private func change(_ event: (inout EffectSchedule) -> [EffectSchedule.Step]) {
        let steps = lock.withLock { event(&schedule) }
        perform(steps)
    }

    /// Takes the steps that the schedule decided on; outside the lock.
    private func perform(_ steps: [EffectSchedule.Step]) {
        for step in steps {
            switch step {
            case .start(let key):
                guard let job = lock.withLock({ jobs[key] }) else { continue }
                job.start { [self] in await run(job) }
            case .cancel(let key):
                lock.withLock { jobs[key] }?.cancel()
            case .drop(let key):
                guard let job = lock.withLock({ remove(key) }) else { continue }
                finish(job, with: .cancelled)
            case .startTimer(let slot, let number, let duration):
                startTimer(number, of: slot, duration)
            case .stopTimer(let slot):
                lock.withLock { timers.removeValue(forKey: slot) }?.cancel()
            }
        }
    }

    private func startTimer(
        _ number: UInt64, of slot: EffectSchedule.Slot, _ duration: Duration
    ) {
        // The time counts from now, not from when the task gets its turn.
        let sleep = clock.sleep(fromNowFor: duration)
        let timer = Task(executorPreference: executor) { [weak self] in
            guard (try? await sleep()) != nil else { return }
            guard let self else { return }
            let now = time.elapsed()
            change { $0.timerEnded(number, of: slot, at: now) }
        }
        let old = lock.withLock { timers.updateValue(timer, forKey: slot) }
        old?.cancel()
    }

    // MARK: Running

    private func run(_ job: EffectJob) async {
        var outcome = EffectJob.Outcome.cancelled
        if !job.lease.isOver {
            outcome = await EffectJob.$current.withValue(job) {
                do {
                    try await work(job.effect.work, for: job)
                    return job.lease.isOver ? .cancelled : .finished
                } catch {
                    return await answer(error, of: job)
                }
            }
        }
        let steps = lock.withLock {
            remove(job.key)
            return schedule.ended(job.key)
        }
        finish(job, with: outcome)
        perform(steps)
    }

    /// Lets go of a job, and tells who waited for it.
    private func finish(_ job: EffectJob, with outcome: EffectJob.Outcome) {
        job.end(with: outcome)
        job.scope.letGo()
        tellWaiters()
    }

    /// Brings an error to whoever has to hear of it.
    private func answer(_ error: any Error, of job: EffectJob) async -> EffectJob.Outcome {
        if error is EffectSuperseded { return .cancelled }
        if job.lease.isOver || Task.isCancelled {
            if !(error is CancellationError) { report(error, of: job, .cancelled) }
            return .cancelled
        }
        if let handler = job.effect.handler {
            await handler(error)
            return .finished
        }
        if !job.isAwaited { report(error, of: job, .running) }
        return .failed(error)
    }

    private func report(_ error: any Error, of job: EffectJob, _ phase: RunningEffect.Phase) {
        job.scope.engine.options.effectError(
            EffectFailure(
                error: error, effect: job.description(phase),
                isAfterCancellation: phase == .cancelled))
    }

    // MARK: Waiting

    /// Notes that a commit has reactions that are due.
    func expect(_ version: Version) {
        lock.withLock { _ = due.insert(version) }
    }

    /// The reactions of a commit were called.
    func reacted(to version: Version) {
        lock.withLock { _ = due.remove(version) }
        tellWaiters()
    }

    /// Whether no effect of an action or a thunk is there, but for one.
    func isQuiet(except key: EffectSchedule.Key?) -> Bool {
        lock.withLock { isReached(.quiet(except: key)) }
    }

    /// Waits until no effect of an action or a thunk is there, but for one.
    func quiet(except key: EffectSchedule.Key?) async { await wait(for: .quiet(except: key)) }

    /// Waits until no effect is there at all, also in a cancelled task.
    func empty() async { await wait(for: .empty, heedsCancellation: false) }

    /// Waits until the effects of an entry have ended, or the task is cancelled.
    func end(of version: Version) async { await wait(for: .end(of: version)) }

    private func wait(for goal: Goal, heedsCancellation: Bool = true) async {
        let number = lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.withLock {
                    if isReached(goal) || (heedsCancellation && Task.isCancelled) { return true }
                    waiters[number] = Waiter(goal: goal, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            guard heedsCancellation else { return }
            lock.withLock { waiters.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    /// Under the lock.
    private func isReached(_ goal: Goal) -> Bool {
        switch goal {
        case .quiet(let key):
            due.isEmpty && unrest == (key.flatMap { jobs[$0] }?.isUnrest == true ? 1 : 0)
        case .empty:
            jobs.isEmpty
        case .end(let version):
            !due.contains(version) && unrestOfEntry[version] == nil
        }
    }

    private func tellWaiters() {
        let served = lock.withLock {
            let served = waiters.filter { isReached($0.value.goal) }
            for number in served.keys { waiters[number] = nil }
            return served.values
        }
        for waiter in served { waiter.continuation.resume() }
    }

    // MARK: Life of the store

    /// The effects at work and those that wait, oldest first.
    var list: [RunningEffect] {
        lock.withLock {
            jobs.values.sorted { $0.key < $1.key }.map {
                $0.description(schedule.phase(of: $0.key) ?? .cancelled)
            }
        }
    }

    /// Looks after the effects of pieces of state, instead of those before.
    func watch(_ new: [WhileWatch]) {
        let old = lock.withLock {
            defer { whiles = new }
            return whiles
        }
        for watch in old { watch.end() }
    }

    /// The timeline is travelled from here on.
    func pause() {
        let whiles = lock.withLock {
            schedule.pause()
            return self.whiles
        }
        for watch in whiles { watch.pause() }
    }

    /// The store lives on.
    func resume() {
        let (whiles, steps) = lock.withLock { (self.whiles, schedule.resume()) }
        perform(steps)
        for watch in whiles { watch.resume() }
    }

    /// Cancels everything; nothing starts any more.
    func finish() {
        watch([])
        change { $0.finish() }
    }
}

extension Clock where Duration == Swift.Duration {
    /// A sleep that ends when a duration has passed since this call, whenever it begins.
    func sleep(fromNowFor duration: Swift.Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration)
        return { try await sleep(until: deadline, tolerance: nil) }
    }
}
