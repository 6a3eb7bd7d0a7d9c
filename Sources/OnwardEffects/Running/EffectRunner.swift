// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// The shell around `EffectSchedule`: holds the effects of a store, their tasks and timers, and the
/// tasks that wait for their end.
///
/// Its lock may be taken while the store's lock is held, never the other way round; no foreign code is
/// called under it.
// Everything mutable is under `lock`, or atomic, hence `@unchecked`. To check that access is exclusive, here, in
// `EffectOwner` and in `EffectJob`, would take 1,800 instructions more than the 11,800 of an effect, and 438 more
// than the 897 of an answer with nothing.
final class EffectRunner: Attachment, @unchecked Sendable {
    private let lock = Lock()
    @exclusivity(unchecked) private var schedule = EffectSchedule()
    private let lastKey = Atomic<EffectSchedule.Key>(0)
    /// In no order; each knows its index.
    @exclusivity(unchecked) private var jobs: [EffectJob] = []
    /// Those that the schedule knows.
    @exclusivity(unchecked) private var scheduled: [EffectSchedule.Key: EffectJob] = [:]
    /// Those of each owner, and of each lifetime.
    @exclusivity(unchecked) private var owned: [ObjectIdentifier: [EffectSchedule.Key: EffectJob]] =
        [:]
    @exclusivity(unchecked) private var tracker = EffectTracker<CheckedContinuation<Void, Never>>()
    private var lastWaiter: UInt64 = 0
    /// The timers that run; nil for one whose task is being made.
    private var timers: [EffectSchedule.TimerNumber: Task<Void, Never>?] = [:]
    private var whiles: [WhileController] = []
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Timestamp
    /// Where timers run.
    let executor: (any TaskExecutor)?
    private let time: Stopwatch
    let random: RandomSource
    let ids: IDSource

    /// The lifetimes of instances; under the store's lock.
    @exclusivity(unchecked) var lifetimes = InstanceLifetimes()
    /// Whether the timeline is travelled, so that no effect starts; under the store's lock.
    @exclusivity(unchecked) var isPaused = false
    /// Whether it learns of every action; under the store's lock.
    var isAttentive = false

    init(in engine: Engine, _ locked: borrowing Locked) {
        let options = engine.options
        clock = options.clock
        wallClock = options.wallClock
        executor = options.effectExecutor
        time = Stopwatch(options.clock)
        random = options.random
        ids = options.ids
        if locked.timelineState == .travelled {
            isPaused = true
            schedule.pause()
        }
    }

    func end(in engine: Engine) {
        finish()
    }

    // MARK: Effects

    /// Starts what an effect consists of, each part as a job of its own.
    func begin(_ effect: Effect, in owner: EffectOwner) {
        guard effect.isBare else {
            _ = submit(effect, in: owner)
            return
        }
        switch effect.work {
        case .none: break
        case .merge(let effects): for effect in effects { begin(effect, in: owner) }
        case .cancel(let id): cancel(EffectSchedule.Slot(address: owner.address, id: id))
        default: _ = submit(effect, in: owner)
        }
    }

    /// Hands a job over; `outer` is the job that it is a part of, `waiting` one that otherwise waits for
    /// it.
    func submit(
        _ effect: Effect, in owner: EffectOwner, isAwaited: Bool = false,
        within outer: EffectJob? = nil, waiting: EffectJob? = nil
    ) -> EffectJob {
        owner.hold()
        let job = EffectJob(
            key: lastKey.wrappingAdd(1, ordering: .relaxed).newValue, effect: effect, owner: owner,
            since: wallClock(), isAwaited: isAwaited, within: outer,
            waiting: waiting)
        if let slot = job.slot {
            submit(job, to: slot)
        } else {
            submitAlone(job)
        }
        return job
    }

    private func submitAlone(_ job: EffectJob) {
        let (isFinished, waiters) = lock.withLock { (schedule.isFinished, add(job)) }
        for waiter in waiters { waiter.resume() }
        if isFinished { finish(job, with: .cancelled) } else { job.start() }
    }

    private func submit(_ job: EffectJob, to slot: EffectSchedule.Slot) {
        let terms = job.effect.terms
        let now = terms.timing == nil ? .zero : time.elapsed()
        let steps = lock.withLock {
            let waiters = add(job)
            scheduled[job.key] = job
            return noted(
                schedule.submit(job.key, to: slot, terms.policy, terms.timing, at: now), waiters)
        }
        perform(steps)
    }

    /// Cancels the effects of an id.
    func cancel(_ slot: EffectSchedule.Slot) {
        change { $0.cancel(slot) }
    }

    /// Cancels one effect.
    func cancel(_ job: EffectJob) {
        if job.isAlone { job.cancel() } else { change { $0.cancel(job.key) } }
    }

    /// Cancels everything that was started by a cause.
    func cancel(_ owner: EffectOwner) {
        owner.end()
        cancelAll(of: owner)
    }

    /// Cancels everything that belongs to an instance that is gone.
    func cancel(_ lifetime: InstanceLifetime) {
        lifetime.end()
        cancelAll(of: lifetime)
    }

    private func cancelAll(of owner: AnyObject) {
        let jobs = lock.withLock { owned[ObjectIdentifier(owner)] }
        guard let jobs else { return }
        for job in jobs.values.sorted(by: { $0.key < $1.key }) { cancel(job) }
    }

    /// Notes a job, and returns those whose wait is over; under the lock.
    private func add(_ job: EffectJob) -> [CheckedContinuation<Void, Never>] {
        job.index = jobs.count
        jobs.append(job)
        for owner in job.ownerIDs { owned[owner, default: [:]][job.key] = job }
        tracker.add(job.member)
        guard job.isPart, let whole = job.waiting, whole.index != nil else { return [] }
        return tracker.beginWaiting(whole.member)
    }

    /// Forgets a job; under the lock.
    private func remove(_ job: EffectJob) {
        guard let index = job.index, let last = jobs.popLast() else { return }
        if last !== job {
            jobs[index] = last
            last.index = index
        }
        job.index = nil
        for owner in job.ownerIDs {
            owned[owner]?[job.key] = nil
            if owned[owner]?.isEmpty == true { owned[owner] = nil }
        }
    }

    private func change(_ event: (inout EffectSchedule) -> [EffectSchedule.Step]) {
        let steps = lock.withLock { noted(event(&schedule)) }
        perform(steps)
    }

    /// The steps that the schedule decided on; those that must keep its order are done.
    ///
    /// A timer that starts is known, and one that stops no longer is; an effect that stands in a queue is not
    /// at work, and one that leaves it is. Under the lock.
    private func noted(
        _ steps: [EffectSchedule.Step], _ served: [CheckedContinuation<Void, Never>] = []
    ) -> Steps {
        var waiters = served
        var stopped: [Task<Void, Never>] = []
        for step in steps {
            switch step {
            case .startTimer(_, let number, _): timers[number] = .some(nil)
            case .stopTimer(let number):
                if let timer = timers.removeValue(forKey: number), let timer {
                    stopped.append(timer)
                }
            case .wait(let key):
                if let job = scheduled[key] { waiters += tracker.beginWaiting(job.member) }
            case .start(let key), .drop(let key):
                if let job = scheduled[key] { tracker.endWaiting(job.member) }
            case .cancel: break
            }
        }
        return Steps(all: steps, stopped: stopped, waiters: waiters)
    }

    /// What is left to do outside the lock.
    private struct Steps {
        let all: [EffectSchedule.Step]
        /// The timers that were stopped.
        let stopped: [Task<Void, Never>]
        /// Those whose wait is over.
        let waiters: [CheckedContinuation<Void, Never>]
    }

    /// Takes the steps that the schedule decided on; outside the lock.
    private func perform(_ steps: Steps) {
        for timer in steps.stopped { timer.cancel() }
        for waiter in steps.waiters { waiter.resume() }
        for step in steps.all {
            switch step {
            case .start(let key):
                lock.withLock { scheduled[key] }?.start()
            case .cancel(let key):
                lock.withLock { scheduled[key] }?.cancel()
            case .drop(let key):
                if let job = lock.withLock({ scheduled[key] }) { finish(job, with: .cancelled) }
            case .startTimer(let slot, let number, let duration):
                startTimer(number, of: slot, duration)
            case .stopTimer, .wait: break
            }
        }
    }

    private func startTimer(
        _ number: EffectSchedule.TimerNumber, of slot: EffectSchedule.Slot, _ duration: Duration
    ) {
        // The time counts from now, not from when the task gets its turn.
        let sleep = clock.sleep(fromNowFor: duration)
        let timer = Task(on: executor) { [weak self] in
            guard (try? await sleep()) != nil else { return }
            self?.timerEnded(number, of: slot)
        }
        let isWanted = lock.withLock {
            // It may have been stopped, or have ended, meanwhile.
            guard timers.keys.contains(number) else { return false }
            timers[number] = timer
            return true
        }
        if !isWanted { timer.cancel() }
    }

    private func timerEnded(_ number: EffectSchedule.TimerNumber, of slot: EffectSchedule.Slot) {
        let now = time.elapsed()
        let steps = lock.withLock {
            timers[number] = nil
            return noted(schedule.timerEnded(number, of: slot, at: now))
        }
        perform(steps)
    }

    // MARK: Running

    /// Does a job, in its task.
    ///
    /// Each async function between the task and a closure of the app takes some hundred instructions. So
    /// this one is inlined, and makes the call that most jobs are itself.
    @inline(__always)
    func run(_ job: EffectJob) async {
        var outcome = EffectJob.Outcome.cancelled
        if !job.isOver {
            do {
                if case .call(let body) = job.effect.work {
                    try await TaskPermit.$current.withValue(job, operation: body)
                } else {
                    try await TaskPermit.$current.withValue(job) {
                        try await work(job.effect.work, for: job)
                    }
                }
                if !job.isOver { outcome = .finished }
            } catch {
                outcome = await TaskPermit.$current.withValue(job) { await answer(error, of: job) }
            }
        }
        finish(job, with: outcome, hasBegun: true)
    }

    /// Has the handler of a cancelled effect called, by an effect of its own: the cancelled one can no
    /// longer dispatch.
    private func answerCancellation(of job: EffectJob) {
        guard let handler = job.effect.terms.cancellation, !job.owner.isOver else { return }
        _ = submit(Effect(.call(handler), job.effect.origin), in: job.owner)
    }

    /// Releases a job, and tells those that waited for it.
    private func finish(
        _ job: EffectJob, with outcome: EffectJob.Outcome, hasBegun: Bool = false
    ) {
        // Before this one is over, so that the store never seems to be at rest in between.
        if case .cancelled = outcome { answerCancellation(of: job) }
        // Nor is it at rest while something may still be dispatched in its name.
        job.expire()
        job.owner.release()
        let (steps, waiters) = lock.withLock {
            remove(job)
            // At work again in the same moment, or rest would seem to be reached in between: the
            // next one in the queue, and the effect that this one is a part of.
            let steps = job.isAlone ? nil : leaveSchedule(job, hasBegun: hasBegun)
            if job.isPart, let whole = job.waiting { tracker.endWaiting(whole.member) }
            return (steps, tracker.remove(job.member))
        }
        job.end(with: outcome)
        for waiter in waiters { waiter.resume() }
        if let steps { perform(steps) }
    }

    /// Tells the schedule that a job is over; under the lock.
    private func leaveSchedule(_ job: EffectJob, hasBegun: Bool) -> Steps? {
        scheduled[job.key] = nil
        return hasBegun ? noted(schedule.ended(job.key)) : nil
    }

    /// Passes an error to its handler.
    private func answer(_ error: any Error, of job: EffectJob) async -> EffectJob.Outcome {
        if error is EffectSuperseded { return .cancelled }
        if job.isOver || Task.isCancelled {
            if !(error is CancellationError) { report(error, of: job, .cancelled) }
            return .cancelled
        }
        if let handler = job.effect.terms.handler {
            await handler(error)
            return .finished
        }
        if !job.isAwaited { report(error, of: job, .running) }
        return .failed(error)
    }

    private func report(_ error: any Error, of job: EffectJob, _ phase: RunningEffect.Phase) {
        job.owner.engine.options.effectError(
            EffectFailure(
                error: error, effect: job.description(phase),
                isAfterCancellation: phase == .cancelled))
    }

    // MARK: Waiting

    /// Notes that a commit has reactions that are due.
    func expect(_ version: Version) {
        lock.withLock { tracker.expect(version) }
    }

    /// The reactions of a commit were called.
    func reacted(to version: Version) {
        let waiters = lock.withLock { tracker.reacted(to: version) }
        for waiter in waiters { waiter.resume() }
    }

    /// Whether there is no effect of an action or a thunk; asked from inside an effect, none except
    /// those that wait for effects themselves.
    func isQuiet(insideEffect: Bool) -> Bool {
        lock.withLock { tracker.isReached(insideEffect ? .othersIdle : .idle) }
    }

    /// Waits until `isQuiet`, or the task is cancelled.
    func waitUntilIdle(insideEffect: Bool) async {
        await wait(for: insideEffect ? .othersIdle : .idle)
    }

    /// Waits until there is no effect at all, even in a cancelled task.
    func empty() async { await wait(for: .empty, heedsCancellation: false) }

    /// Waits until the effects of an entry have ended, or the task is cancelled.
    func end(of version: Version) async { await wait(for: .end(of: version)) }

    /// These effects wait for others from here on, and are not at work meanwhile; false when all of them
    /// are over.
    func rest(_ jobs: [EffectJob]) -> Bool {
        let (isAny, waiters) = lock.withLock {
            let present = jobs.filter { $0.index != nil }
            return (!present.isEmpty, present.flatMap { tracker.beginWaiting($0.member) })
        }
        for waiter in waiters { waiter.resume() }
        return isAny
    }

    /// These effects no longer wait for others.
    func goOn(_ jobs: [EffectJob]) {
        lock.withLock { for job in jobs { tracker.endWaiting(job.member) } }
    }

    private func wait(
        for goal: EffectTracker<CheckedContinuation<Void, Never>>.Goal,
        heedsCancellation: Bool = true
    ) async {
        let number = nextWaiter()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.withLock {
                    let isCancelled = heedsCancellation && Task.isCancelled
                    if isCancelled || tracker.isReached(goal) { return true }
                    tracker.wait(for: goal, number, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            guard heedsCancellation else { return }
            lock.withLock { tracker.cancelWait(goal, number) }?.resume()
        }
    }

    private func nextWaiter() -> UInt64 {
        lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
    }

    // MARK: Life of the store

    /// How many timers run.
    var timerCount: Int { lock.withLock { timers.count } }

    /// The effects at work and those that wait, oldest first.
    var list: [RunningEffect] { lock.withLock { described } }

    /// The same; under the lock.
    private var described: [RunningEffect] {
        jobs.sorted { $0.key < $1.key }.map { $0.description(phase(of: $0)) }
    }

    private func phase(of job: EffectJob) -> RunningEffect.Phase {
        if job.isAlone { return job.isOver ? .cancelled : .running }
        return schedule.phase(of: job.key) ?? .cancelled
    }

    /// Looks after the effects of pieces of state, instead of those that are returned.
    func exchange(_ new: [WhileController]) -> [WhileController] {
        lock.withLock {
            defer { whiles = new }
            return whiles
        }
    }

    /// The timeline is travelled from here on.
    func pause() {
        let whiles = lock.withLock {
            schedule.pause()
            return self.whiles
        }
        for controller in whiles { controller.pause() }
    }

    /// The store is live again.
    func resume() {
        let (whiles, steps) = lock.withLock { (self.whiles, noted(schedule.resume())) }
        perform(steps)
        for controller in whiles { controller.resume() }
    }

    /// Cancels everything; nothing starts any more.
    ///
    /// Returns the effects that end because of it, except those of a state.
    @discardableResult
    func finish() -> [RunningEffect] {
        for controller in exchange([]) { controller.end() }
        let (dropped, alone, steps) = lock.withLock {
            (
                described.filter { $0.phase != .cancelled && $0.kind != .state },
                jobs.filter(\.isAlone), noted(schedule.finish())
            )
        }
        for job in alone { job.cancel() }
        perform(steps)
        return dropped
    }
}
