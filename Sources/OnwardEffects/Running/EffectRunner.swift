// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// Starts, cancels and ends the effects of a store, as `LiveEffects` decides.
///
/// These may be reached while the store's lock is held, never the other way round.
// What is mutable here belongs to the store's lock, hence `@unchecked`. To check that access is exclusive, here, in
// `EffectOwner` and in `EffectJob`, would take 1,800 instructions more than the 11,800 of an effect, and 438 more
// than the 897 of an answer with nothing.
final class EffectRunner: Attachment, @unchecked Sendable {
    private let live = Guarded(LiveEffects())
    private let lastKey = Atomic<EffectSchedule.Key>(0)
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Timestamp
    /// Where timers run.
    let executor: (any TaskExecutor)?
    private let time: Stopwatch
    let random: RandomSource
    let ids: IDSource

    /// The lifetimes of instances; under the store's lock.
    @exclusivity(unchecked) var lifetimes = InstanceLifetimes()
    /// Whether the gate is travelled, so that no effect starts; under the store's lock.
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
            live.withValue { $0.pause() }
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
        let (waiters, isFinished) = live.withValue { $0.submitAlone(job) }
        for waiter in waiters { waiter.resume() }
        if isFinished { finish(job, with: .cancelled) } else { job.start() }
    }

    private func submit(_ job: EffectJob, to slot: EffectSchedule.Slot) {
        let now = job.effect.terms.timing == nil ? .zero : time.elapsed()
        perform(live.withValue { $0.submit(job, to: slot, at: now) })
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
        for job in live.withValue({ $0.jobs(of: owner) }) { cancel(job) }
    }

    private func change(_ event: (inout EffectSchedule) -> [EffectSchedule.Step]) {
        perform(live.withValue { $0.change(event) })
    }

    private func perform(_ steps: LiveEffects.Steps) {
        for timer in steps.stopped { timer.cancel() }
        for waiter in steps.waiters { waiter.resume() }
        for step in steps.all {
            switch step {
            case .start(let key):
                job(key)?.start()
            case .cancel(let key):
                job(key)?.cancel()
            case .drop(let key):
                if let job = job(key) { finish(job, with: .cancelled) }
            case .startTimer(let slot, let number, let duration):
                startTimer(number, of: slot, duration)
            case .stopTimer, .wait: break
            }
        }
    }

    private func job(_ key: EffectSchedule.Key) -> EffectJob? { live.withValue { $0.job(key) } }

    private func startTimer(
        _ number: EffectSchedule.TimerNumber, of slot: EffectSchedule.Slot, _ duration: Duration
    ) {
        // The time counts from now, not from when the task gets its turn.
        let sleep = clock.sleep(fromNowFor: duration)
        let timer = Task(on: executor) { [weak self] in
            guard (try? await sleep()) != nil else { return }
            self?.timerEnded(number, of: slot)
        }
        if !live.withValue({ $0.keep(timer, as: number) }) { timer.cancel() }
    }

    private func timerEnded(_ number: EffectSchedule.TimerNumber, of slot: EffectSchedule.Slot) {
        let now = time.elapsed()
        perform(live.withValue { $0.timerEnded(number, of: slot, at: now) })
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

    /// Releases a job, and notifies those that waited for it.
    private func finish(
        _ job: EffectJob, with outcome: EffectJob.Outcome, hasBegun: Bool = false
    ) {
        // Before this one is over, so that the store never seems to be at rest in between.
        if case .cancelled = outcome { answerCancellation(of: job) }
        // Nor is it at rest while something may still be dispatched in its name.
        job.expire()
        job.owner.release()
        let (steps, waiters) = live.withValue { $0.remove(job, hasBegun: hasBegun) }
        job.end(with: outcome)
        for waiter in waiters { waiter.resume() }
        if let steps { perform(steps) }
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
        live.withValue { $0.expect(version) }
    }

    /// The reactions of a commit were called.
    func reacted(to version: Version) {
        let waiters = live.withValue { $0.reacted(to: version) }
        for waiter in waiters { waiter.resume() }
    }

    /// Whether there is no effect of an action or a thunk; asked from inside an effect, none except
    /// those that wait for effects themselves.
    func isQuiet(insideEffect: Bool) -> Bool {
        live.withValue { $0.isReached(insideEffect ? .othersIdle : .idle) }
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
        let waiters = live.withValue { $0.rest(jobs) }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters != nil
    }

    /// These effects no longer wait for others.
    func goOn(_ jobs: [EffectJob]) {
        live.withValue { $0.goOn(jobs) }
    }

    private func wait(
        for goal: EffectTracker<LiveEffects.Waiter>.Goal, heedsCancellation: Bool = true
    ) async {
        let number = live.withValue { $0.nextWaiter() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = live.withValue { live in
                    let isCancelled = heedsCancellation && Task.isCancelled
                    return !isCancelled && live.wait(for: goal, number, continuation)
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            guard heedsCancellation else { return }
            live.withValue { $0.cancelWait(goal, number) }?.resume()
        }
    }

    // MARK: Life of the store

    /// How many timers run.
    var timerCount: Int { live.withValue { $0.timerCount } }

    /// The effects at work and those that wait, oldest first.
    var list: [RunningEffect] { live.withValue { $0.described } }

    /// Looks after the effects of pieces of state, instead of those that are returned.
    func exchange(_ new: [WhileController]) -> [WhileController] {
        live.withValue { $0.exchange(new) }
    }

    /// The gate is travelled from here on.
    func pause() {
        let whiles = live.withValue { live in
            live.pause()
            return live.whiles
        }
        for controller in whiles { controller.pause() }
    }

    /// The store is live again.
    func resume() {
        let now = time.elapsed()
        let (whiles, steps) = live.withValue { ($0.whiles, $0.change { $0.resume(at: now) }) }
        perform(steps)
        for controller in whiles { controller.resume() }
    }

    /// Cancels everything; nothing starts any more.
    ///
    /// Returns the effects that end because of it, except those of a state.
    @discardableResult
    func finish() -> [RunningEffect] {
        for controller in exchange([]) { controller.end() }
        let (dropped, alone, steps) = live.withValue { $0.finish() }
        for job in alone { job.cancel() }
        perform(steps)
        return dropped
    }
}
