// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The effects of a store that are not over, the timers that run, and the tasks that wait for their end.
///
/// Decides what comes next, and returns it as ``Steps``: `EffectRunner` guards it, and takes the steps afterwards.
struct LiveEffects {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// What is left to do.
    struct Steps {
        let all: [EffectSchedule.Step]
        /// The timers that were stopped.
        let stopped: [Task<Void, Never>]
        /// The tasks whose wait is over.
        let waiters: [Waiter]
    }

    private var schedule = EffectSchedule()
    /// In no order; each knows its index.
    private var jobs: [EffectJob] = []
    /// Those that the schedule knows.
    private var scheduled: [EffectSchedule.Key: EffectJob] = [:]
    /// Those of each owner, and of each lifetime.
    private var owned: [ObjectIdentifier: [EffectSchedule.Key: EffectJob]] = [:]
    private var tracker = EffectTracker<Waiter>()
    private var lastWaiter: UInt64 = 0
    /// The timers that run; nil for one whose task is being made.
    private var timers: [EffectSchedule.TimerNumber: Task<Void, Never>?] = [:]
    /// What looks after the effects of pieces of state.
    private(set) var whiles: [WhileController] = []

    // MARK: Jobs

    /// Adds a job without an id; returns the tasks whose wait is over, and whether nothing starts any more.
    mutating func submitAlone(_ job: EffectJob) -> (waiters: [Waiter], isFinished: Bool) {
        (add(job), schedule.isFinished)
    }

    /// Adds a job whose turn comes as its policy says.
    mutating func submit(
        _ job: EffectJob, to slot: EffectSchedule.Slot, at now: Duration
    ) -> Steps {
        let waiters = add(job)
        scheduled[job.key] = job
        let terms = job.effect.terms
        return noted(
            schedule.submit(job.key, to: slot, terms.policy, terms.timing, at: now), waiters)
    }

    /// Adds a job; returns the tasks whose wait is over.
    private mutating func add(_ job: EffectJob) -> [Waiter] {
        job.index = jobs.count
        jobs.append(job)
        for owner in job.ownerIDs { owned[owner, default: [:]][job.key] = job }
        tracker.add(job.member)
        guard job.isPart, let whole = job.waiting, whole.index != nil else { return [] }
        return tracker.beginWaiting(whole.member)
    }

    /// Takes a job out that is over.
    mutating func remove(_ job: EffectJob, hasBegun: Bool) -> (steps: Steps?, waiters: [Waiter]) {
        remove(job)
        // At work again in the same moment, or rest would seem to be reached in between: the
        // next one in the queue, and the effect that this one is a part of.
        let steps = job.isAlone ? nil : leaveSchedule(job, hasBegun: hasBegun)
        if job.isPart, let whole = job.waiting { tracker.endWaiting(whole.member) }
        return (steps, tracker.remove(job.member))
    }

    private mutating func remove(_ job: EffectJob) {
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

    private mutating func leaveSchedule(_ job: EffectJob, hasBegun: Bool) -> Steps? {
        scheduled[job.key] = nil
        return hasBegun ? noted(schedule.ended(job.key)) : nil
    }

    /// The job that the schedule knows by a key; nil when that is over.
    func job(_ key: EffectSchedule.Key) -> EffectJob? { scheduled[key] }

    /// The jobs that end with an owner, or with a lifetime, oldest first.
    func jobs(of owner: AnyObject) -> [EffectJob] {
        guard let jobs = owned[ObjectIdentifier(owner)] else { return [] }
        return jobs.values.sorted { $0.key < $1.key }
    }

    /// The effects at work and those that wait, oldest first.
    var described: [RunningEffect] {
        jobs.sorted { $0.key < $1.key }.map { $0.description(phase(of: $0)) }
    }

    private func phase(of job: EffectJob) -> RunningEffect.Phase {
        if job.isAlone { return job.isOver ? .cancelled : .running }
        return schedule.phase(of: job.key) ?? .cancelled
    }

    // MARK: Schedule

    /// What follows from something that happens to the schedule.
    mutating func change(_ event: (inout EffectSchedule) -> [EffectSchedule.Step]) -> Steps {
        noted(event(&schedule))
    }

    /// The steps that the schedule decided on; those that must keep its order are taken.
    ///
    /// A timer that starts is known, and one that stops no longer is; an effect that stands in a queue is not
    /// at work, and one that leaves it is.
    private mutating func noted(
        _ steps: [EffectSchedule.Step], _ served: [Waiter] = []
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

    /// How many timers run.
    var timerCount: Int { timers.count }

    /// Keeps the task of a timer; false when that was stopped, or has ended, meanwhile.
    mutating func keep(_ timer: Task<Void, Never>, as number: EffectSchedule.TimerNumber) -> Bool {
        guard timers.keys.contains(number) else { return false }
        timers[number] = timer
        return true
    }

    mutating func timerEnded(
        _ number: EffectSchedule.TimerNumber, of slot: EffectSchedule.Slot, at now: Duration
    ) -> Steps {
        timers[number] = nil
        return noted(schedule.timerEnded(number, of: slot, at: now))
    }

    // MARK: Waiting

    /// Notes that a commit has reactions that are due.
    mutating func expect(_ version: Version) { tracker.expect(version) }

    /// The reactions of a commit were called; returns the tasks whose wait is over.
    mutating func reacted(to version: Version) -> [Waiter] { tracker.reacted(to: version) }

    func isReached(_ goal: EffectTracker<Waiter>.Goal) -> Bool { tracker.isReached(goal) }

    /// These effects wait for others from here on; returns the tasks whose wait is over, nil when all of these
    /// effects are over.
    mutating func rest(_ jobs: [EffectJob]) -> [Waiter]? {
        let present = jobs.filter { $0.index != nil }
        return present.isEmpty ? nil : present.flatMap { tracker.beginWaiting($0.member) }
    }

    /// These effects no longer wait for others.
    mutating func goOn(_ jobs: [EffectJob]) {
        for job in jobs { tracker.endWaiting(job.member) }
    }

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Keeps a task that waits; false when its goal is reached already.
    mutating func wait(
        for goal: EffectTracker<Waiter>.Goal, _ number: UInt64, _ waiter: Waiter
    ) -> Bool {
        if tracker.isReached(goal) { return false }
        tracker.wait(for: goal, number, waiter)
        return true
    }

    mutating func cancelWait(_ goal: EffectTracker<Waiter>.Goal, _ number: UInt64) -> Waiter? {
        tracker.cancelWait(goal, number)
    }

    // MARK: Life of the store

    /// Has others look after the effects of pieces of state; returns those that did so far.
    mutating func exchange(_ new: [WhileController]) -> [WhileController] {
        defer { whiles = new }
        return whiles
    }

    /// Starts no effect from here on.
    mutating func pause() { schedule.pause() }

    /// Cancels everything; returns what is to be cancelled outside the schedule, and the effects that end
    /// because of it, except those of a state.
    mutating func finish() -> (dropped: [RunningEffect], alone: [EffectJob], steps: Steps) {
        (
            described.filter { $0.phase != .cancelled && $0.kind != .state },
            jobs.filter(\.isAlone), noted(schedule.finish())
        )
    }
}
