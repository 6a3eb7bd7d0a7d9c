// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// Starts, cancels and ends the effects of a store, as its `EffectTable` decides.
///
/// Its lock may be taken while the store's is held, never the other way round. Nothing is called,
/// and no task made, under either.
// Mutable state here is guarded by the store's lock, hence `@unchecked`. Exclusivity checks here,
// in `EffectOwner` and in `EffectJob` would make an effect a sixth slower, and an answer that
// begins nothing half as slow again.
final class EffectRunner: Attachment, @unchecked Sendable {
    typealias Table = EffectTable<
        EffectJob, Task<Void, Never>, CheckedContinuation<Void, Never>
    >

    private let table = Guarded(Table())
    /// The effects that have ended, while somebody records them.
    private let endings = Guarded<EndedEffects?>(nil)
    private let isRecording = Atomic(false)
    let names = EffectNames()
    /// The controllers of the effects of pieces of state.
    private let whiles = Guarded<[WhileController]>([])
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Timestamp
    /// Where timers run.
    let executor: (any TaskExecutor)?
    private let time: Stopwatch
    let random: RandomSource
    let ids: IDSource

    /// The lifetimes of instances; under the store's lock.
    @exclusivity(unchecked) var lifetimes = InstanceLifetimes()
    /// Whether time travel is under way, so that no effect starts; under the store's lock.
    @exclusivity(unchecked) var isPaused = false
    /// Whether it observes every action; under the store's lock.
    var isAttentive = false

    init(in engine: Engine, _ locked: borrowing Locked) {
        let options = engine.options
        clock = options.clock
        wallClock = options.wallClock
        executor = options.effectExecutor
        time = Stopwatch(options.clock)
        random = options.random
        ids = options.ids
        if locked.gateState == .travelled {
            isPaused = true
            table.withValue { $0.pause() }
        }
    }

    /// How much time has passed on the store's clock.
    var elapsed: Duration { time.elapsed() }

    func sleep(for duration: Duration) async throws {
        try await clock.sleep(fromNowFor: duration)()
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
        case .cancel(let id): cancel(id, in: owner)
        case .dispatch:
            // One after another, in the order of what they answer: of two tasks, the one that was started first
            // may come last, and its action would say for good what no longer is so.
            var effect = effect
            effect.terms = EffectTerms(
                id: EffectID(DispatchedInOrder(part: owner.order)), policy: .queue)
            _ = submit(effect, in: owner)
        default: _ = submit(effect, in: owner)
        }
    }

    /// Submits a job; `whole` is the job that waits for it, either as its whole or for its result.
    func submit(
        _ effect: Effect, in owner: EffectOwner, isAwaited: Bool = false,
        for whole: EffectJob? = nil, isPart: Bool = false
    ) -> EffectJob {
        owner.hold()
        let job = EffectJob(
            effect, in: owner, since: wallClock(), isAwaited: isAwaited, for: whole, isPart: isPart)
        let traits = job.traits
        let now = traits.place?.gates.isEmpty ?? true ? .zero : time.elapsed()
        perform(
            table.withValue { table in
                let (key, steps) = table.add(job, traits, at: now)
                job.key = key
                return steps
            })
        return job
    }

    /// Cancels the effects of an id that belong to the instance of an owner.
    func cancel(_ id: EffectID, in owner: EffectOwner) {
        let slot = EffectSlot(instance: owner.instance, name: names.name(of: id))
        change { $0.cancel(slot) }
    }

    /// Cancels one effect.
    func cancel(_ job: EffectJob) {
        change { $0.cancel(job.key) }
    }

    /// Cancels everything that was started by a cause.
    func cancel(_ owner: EffectOwner) {
        owner.end()
        change { $0.cancel(of: owner) }
    }

    /// Cancels everything that belongs to an instance that is gone.
    func cancel(_ lifetime: InstanceLifetime) {
        change { $0.cancel(of: lifetime) }
    }

    private func change(_ event: (inout Table) -> [Table.Step]) {
        perform(table.withValue(event))
    }

    /// Takes the steps that the table decided on, under no lock.
    private func perform(_ steps: [Table.Step]) {
        for step in steps {
            switch step {
            case .go(let job): job.go()
            case .cancel(let job): job.cancel()
            case .drop(let job):
                if !job.turnAway() { finish(job, with: .cancelled) }
            case .refuse(let job, let other):
                job.owner.engine.options.report(.waitingForItself(job, behind: other))
                if !job.turnAway() { finish(job, with: .cancelled) }
            case .confuse(let job, let other):
                job.owner.engine.options.report(.endingWithoutIDs(job, other))
            case .startTimer(let gate, let number, let duration):
                startTimer(number, of: gate, duration)
            case .stopTimer(let timer): timer.cancel()
            case .resume(let waiter): waiter.resume()
            }
        }
    }

    private func startTimer(
        _ number: Table.TimerNumber, of gate: EffectGateID, _ duration: Duration
    ) {
        // The time counts from now, not from when the task gets its turn.
        let sleep = clock.sleep(fromNowFor: duration)
        let timer = Task(on: executor) { [weak self] in
            guard (try? await sleep()) != nil, let self else { return }
            let now = time.elapsed()
            change { $0.timerEnded(number, of: gate, at: now) }
        }
        if !table.withValue({ $0.keep(timer, as: number) }) { timer.cancel() }
    }

    /// Waits until a job that has begun passes a gate.
    func pass(_ gate: EffectGate, _ job: EffectJob) async throws {
        let hasPassed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                job.hold(continuation)
                let now = time.elapsed()
                change { $0.offer(job.key, to: gate, at: now) }
                if Task.isCancelled { change { $0.leave(job.key) } }
            }
        } onCancel: {
            change { $0.leave(job.key) }
        }
        if !hasPassed { throw EffectSuperseded() }
    }

    // MARK: Running

    /// Does a job, in its task.
    ///
    /// Each async function between the task and a closure of the app costs something in each
    /// effect. So this one is inlined, and itself makes the single call that most jobs consist of.
    @inline(__always)
    func run(_ job: EffectJob) async {
        var outcome = EffectJob.Outcome.cancelled
        if !job.isOver {
            do {
                if case .call(let body) = job.work {
                    try await TaskPermit.$current.withValue(job, operation: body)
                } else {
                    try await TaskPermit.$current.withValue(job) {
                        try await work(job.work, for: job)
                    }
                }
                if !job.isOver { outcome = .finished }
            } catch {
                outcome = await TaskPermit.$current.withValue(job) { await answer(error, of: job) }
            }
        }
        finish(job, with: outcome)
    }

    /// Calls the handler of a cancelled effect in a separate effect, because the cancelled one can
    /// no longer dispatch.
    private func answerCancellation(of job: EffectJob) {
        guard let handler = job.effect.terms.cancellation, !job.owner.isOver else { return }
        _ = submit(Effect(.call(handler), job.effect.origin), in: job.owner)
    }

    /// Releases a job, and resumes those that waited for it.
    private func finish(_ job: EffectJob, with outcome: EffectJob.Outcome) {
        // Before this one is over, so that the store never seems to be at rest in between.
        if case .cancelled = outcome { answerCancellation(of: job) }
        // Nor is it at rest while something may still be dispatched in its name.
        job.expire()
        if isRecording.load(ordering: .relaxed) { record(job, outcome) }
        job.owner.release()
        let steps = table.withValue { $0.remove(job.key) }
        job.end(with: outcome)
        perform(steps)
    }

    /// Remembers how a job ended.
    @inline(never)
    private func record(_ job: EffectJob, _ outcome: EffectJob.Outcome) {
        let outcome: EndedEffect.Outcome =
            switch outcome {
            case .finished: .finished
            case .failed(let error): .failed(error)
            // Cancelled otherwise, by its id or with its store, it leaves its owner as it is.
            case .cancelled:
                job.owner.kind == .state && job.owner.isOver ? .endedByState : .cancelled
            }
        let ended = EndedEffect(
            effect: job.description(.running), end: wallClock(), outcome: outcome)
        // A forgotten value may belong to the app, so it is released outside the lock.
        withExtendedLifetime(endings.withValue { $0?.add(ended) }) {}
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
        let failure = EffectFailure(
            error: error, effect: job.description(phase), isAfterCancellation: phase == .cancelled)
        if let report = job.owner.engine.options.effectError {
            report(failure)
        } else if !failure.isAfterCancellation {
            StandardError.say(failure)
        }
    }

    // MARK: Waiting

    /// Notes that a commit has effects that are still to be made.
    func expect(_ version: CommitVersion) {
        table.withValue { $0.expect(version) }
    }

    /// The effects of a commit were made.
    func responded(to version: CommitVersion) {
        change { $0.responded(to: version) }
    }

    /// Whether there is no effect of an action or a thunk; asked from inside an effect, none except
    /// those that wait for effects themselves.
    func isQuiet(insideEffect: Bool) -> Bool {
        table.withValue { $0.isReached(insideEffect ? .othersIdle : .idle) }
    }

    /// Waits until `isQuiet`, or the task is cancelled.
    func waitUntilIdle(insideEffect: Bool) async {
        await wait(for: insideEffect ? .othersIdle : .idle)
    }

    /// Waits until there is no effect at all, even in a cancelled task.
    func empty() async { await wait(for: .empty, heedsCancellation: false) }

    /// Waits until the effects of an entry have ended, or the task is cancelled.
    func end(of version: CommitVersion) async { await wait(for: .end(of: version)) }

    /// Runs `wait` while these jobs, each waiting for the one before it, are not at work; `wait`
    /// receives whether any of them is not over.
    func resting(
        _ jobs: [EffectJob], on target: Table.Target?, _ wait: (_ isInside: Bool) async -> Void
    ) async {
        let keys = jobs.map(\.key)
        let steps = table.withValue { $0.rest(keys, on: target) }
        perform(steps ?? [])
        await wait(steps != nil)
        table.withValue { $0.goOn(keys, from: target) }
    }

    private func wait(for goal: Table.Goal, heedsCancellation: Bool = true) async {
        let number = table.withValue { $0.nextWaiter() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = table.withValue { table in
                    let isCancelled = heedsCancellation && Task.isCancelled
                    return !isCancelled && table.wait(for: goal, number, continuation)
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            guard heedsCancellation else { return }
            table.withValue { $0.cancelWait(goal, number) }?.resume()
        }
    }

    // MARK: Recording

    func record(limit: Int) {
        endings.withValue { $0 = $0 ?? EndedEffects(limit: limit) }
        isRecording.store(true, ordering: .relaxed)
    }

    var ended: [EndedEffect] { endings.withValue { $0 }?.list ?? [] }

    // MARK: Life of the store

    /// How many timers run.
    var timerCount: Int { table.withValue { $0.timers.count } }

    /// The effects at work and those that wait, oldest first.
    var list: [RunningEffect] {
        table.withValue { $0.list }.map { $0.job.description($0.phase, isResting: $0.isResting) }
    }

    /// How many rows and other values on the way to instances were looked at; at rest.
    func visits(_ locked: borrowing Locked) -> Int {
        whiles.withValue { $0 }.reduce(lifetimes.visits) { $0 + $1.visits }
    }

    /// Takes on the controllers of the effects of pieces of state, and returns the previous ones.
    func exchange(_ new: [WhileController]) -> [WhileController] {
        whiles.withValue { whiles in
            defer { whiles = new }
            return whiles
        }
    }

    /// Time travel shows another moment from here on.
    func pause() {
        table.withValue { $0.pause() }
        for controller in whiles.withValue({ $0 }) { controller.pause() }
    }

    /// The store is live again.
    func resume() {
        let now = time.elapsed()
        change { $0.resume(at: now) }
        for controller in whiles.withValue({ $0 }) { controller.resume() }
    }

    /// Cancels everything; nothing starts any more.
    ///
    /// Returns the effects that end because of it, except those of a state.
    @discardableResult
    func finish() -> [RunningEffect] {
        for controller in exchange([]) { controller.end() }
        let (list, steps) = table.withValue { ($0.list, $0.finish()) }
        let dropped = list.filter { $0.phase != .cancelled && $0.job.owner.kind != .state }
            .map { $0.job.description($0.phase) }
        perform(steps)
        return dropped
    }
}

/// The name of a part's effects that only dispatch: apart from those that the app names, or leaves without a name.
private struct DispatchedInOrder: Hashable, CustomStringConvertible {
    let part: Int
    var description: String { "dispatch" }
}
