// SPDX-License-Identifier: MIT

import Foundation

/// Decides which of several threads goes on, one at a time, by a seed.
///
/// Every thread of a history, and every job of a task, runs on a `Strand`. The one that has the baton
/// runs until it reaches a point: a lock, the beginning or the end of a job, a call into the history.
/// There the schedule may hand the baton on. Nothing else decides, so a seed decides everything.
///
/// Two ways to choose. *Priorities* (probabilistic concurrency testing): the runnable strand of the
/// highest random priority goes on, and at a few random points the running one falls behind all others;
/// a fault that needs d such changes is found with a probability that is known. *Walk*: at every point
/// any strand may be next, with some likelihood; finds what needs many changes at no special place.
///
/// Invariant behind `@unchecked`: every `var` is touched only under `mutex`.
final class Schedule: @unchecked Sendable {
    struct Job {
        let job: UnownedJob
        let isMain: Bool
        var priority: Int
    }

    enum Outcome: Equatable, Sendable {
        /// Nothing can run any more.
        case rest
        /// Nothing can run any more, and these wait for locks.
        case deadlock([String])
        /// More points were reached than any history needs.
        case endless
    }

    private enum Choice {
        case strand(Strand)
        case job(Int)
        /// Time passes; whether nothing could run.
        case clock(isQuiet: Bool)
    }

    private let mutex = NSLock()
    private var random: SplitMix64
    private var strands: [Strand] = []
    private var workers: [Strand] = []
    private var jobs: [Job] = []
    private var isMainBusy = false
    private var clockPriority: Int
    /// At how many choices time may pass once though others can run.
    private let clockPatience: Int
    private var lowest = 0
    private var changes: Set<Int> = []
    /// In how many points a walk changes direction once; nil for priorities.
    private let walk: Int?
    private let limit: Int
    private var untilDemotion = 0
    private var isOver = false
    /// What looks around when nothing can run before time passes.
    private var look: (@Sendable () -> Void)?
    private var hasLooked = false
    /// The strand that has the baton; nil when only strands that stall run.
    private var holder: Strand?
    private let atRest = DispatchSemaphore(value: 0)
    private var result = Outcome.rest
    let clock: SoakClock
    /// How many points were reached.
    private(set) var points = 0

    init(seed: UInt64, clock: SoakClock, limit: Int = 200_000) {
        var random = SplitMix64(seed: seed)
        walk = random.oneIn(3) ? nil : random.pick([1, 2, 3, 6, 20])
        for _ in 0..<random.below(6) {
            changes.insert(random.below(random.pick([60, 300, 1_500])))
        }
        clockPriority = random.below(1_000)
        clockPatience = random.pick([1, 3, 8, 30])
        self.random = random
        self.clock = clock
        self.limit = limit
    }

    // MARK: What runs

    /// Adds a thread of a history; it begins when the schedule runs.
    func add(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let priority = mutex.withLock { random.below(1_000) }
        start(Strand(name, .ready, priority: priority), body)
    }

    private func start(_ strand: Strand, _ body: @escaping @Sendable () -> Void) {
        mutex.withLock { strands.append(strand) }
        strand.start { [self] in
            body()
            leave(strand, as: .ended)
        }
    }

    /// Adds the job of a task.
    func add(_ job: UnownedJob, isMain: Bool) {
        mutex.withLock {
            jobs.append(Job(job: job, isMain: isMain, priority: random.below(1_000)))
        }
    }

    /// Has somebody look around whenever nothing can run before time passes.
    func lookAround(_ look: @escaping @Sendable () -> Void) {
        mutex.withLock { self.look = look }
    }

    /// Lets everything run until nothing can any more; from a thread that is not scheduled.
    func run() -> Outcome {
        passOn(from: nil)
        var last = 0
        while atRest.wait(timeout: .now() + .seconds(1)) == .timedOut {
            let now = mutex.withLock { points }
            if now == last { rescue() }
            last = now
        }
        return mutex.withLock { result }
    }

    // MARK: Stalls

    /// Hands on the baton of a strand that does not come to its next point.
    ///
    /// It waits for something that no point reports: the runtime cancels a task under a lock of that
    /// task, so a strand that stands at a point inside `onCancel` has it, and another one that ends the
    /// same wait needs it. The only place where the wall clock has a say.
    private func rescue() {
        mutex.lock()
        guard !isOver, let stalled = holder, stalled.state == .ready else { return mutex.unlock() }
        stalled.state = .stalled
        holder = nil
        mutex.unlock()
        passOn(from: nil)
    }

    /// Waits for the turn of a strand that had lost the baton as it stalled.
    private func regain(_ strand: Strand) {
        mutex.lock()
        guard strand.state == .stalled else { return mutex.unlock() }
        strand.state = .ready
        let isFree = holder == nil
        if isFree { holder = strand }
        mutex.unlock()
        if !isFree { strand.takeBaton() }
    }

    // MARK: Points

    enum Point {
        case passing
        case contended
        case released
    }

    /// A point at which another strand may go on.
    func reach(_ point: Point) {
        guard let strand = Strand.current else { return }
        regain(strand)
        mutex.lock()
        guard !isOver else {
            mutex.unlock()
            return stop()
        }
        points += 1
        switch point {
        case .passing: break
        case .contended: strand.state = .blocked
        case .released:
            for other in strands where other.state == .blocked { other.state = .ready }
            for other in workers where other.state == .blocked { other.state = .ready }
        }
        if points > limit {
            result = .endless
            isOver = true
            mutex.unlock()
            atRest.signal()
            return stop()
        }
        if changes.contains(points) || untilDemotion > 3_000 {
            lowest -= 1
            strand.priority = lowest
            untilDemotion = 0
        }
        untilDemotion += 1
        if strand.state == .ready, let walk, !random.oneIn(walk) { return mutex.unlock() }
        mutex.unlock()
        passOn(from: strand)
    }

    /// Ends a thread of a history, or a job.
    private func leave(_ strand: Strand, as state: Strand.State) {
        regain(strand)
        mutex.withLock { strand.state = state }
        passOn(from: strand)
    }

    /// Chooses the next strand, and waits for the turn of `strand` unless it has ended.
    private func passOn(from strand: Strand?) {
        while true {
            mutex.lock()
            guard let choice = choose() else {
                holder = nil
                guard !(strands + workers).contains(where: { $0.state == .stalled }) else {
                    mutex.unlock()
                    break
                }
                result = blocked.isEmpty ? .rest : .deadlock(blocked)
                mutex.unlock()
                atRest.signal()
                break
            }
            switch choice {
            case .clock(let isQuiet):
                if isQuiet, !hasLooked, let look {
                    hasLooked = true
                    mutex.unlock()
                    start(Strand("a look around", .ready, priority: 0), look)
                    continue
                }
                hasLooked = false
                mutex.unlock()
                clock.advanceToNext()
                continue
            case .strand(let next):
                untilDemotion = next === strand ? untilDemotion : 0
                holder = next
                mutex.unlock()
                if next === strand { return }
                next.giveBaton()
            case .job(let index):
                let job = jobs.remove(at: index)
                if job.isMain { isMainBusy = true }
                let worker = freeWorker()
                worker.job = job
                worker.priority = job.priority
                worker.state = .ready
                holder = worker
                untilDemotion = 0
                mutex.unlock()
                if worker === strand { return }
                worker.giveBaton()
            }
            break
        }
        guard let strand, mutex.withLock({ strand.state != .ended }) else { return }
        strand.takeBaton()
        if mutex.withLock({ isOver }) { stop() }
    }

    private var blocked: [String] {
        (strands + workers).filter { $0.state == .blocked }.map(\.name)
    }

    /// Under the mutex.
    private func choose() -> Choice? {
        var choices: [(Int, Choice)] = []
        for strand in strands where strand.state == .ready {
            choices.append((strand.priority, .strand(strand)))
        }
        for worker in workers where worker.state == .ready {
            choices.append((worker.priority, .strand(worker)))
        }
        var hasMain = isMainBusy
        for (index, job) in jobs.enumerated() where !(job.isMain && hasMain) {
            if job.isMain { hasMain = true }
            choices.append((job.priority, .job(index)))
        }
        guard clock.hasSleepers else { return pick(choices) }
        // Time passes when nothing else can, and now and then before.
        if choices.isEmpty || (walk == nil && clockPriority > 500) || random.oneIn(clockPatience) {
            let isQuiet =
                choices.isEmpty
                && !(strands + workers).contains { $0.state == .stalled || $0.state == .blocked }
            choices.append((choices.isEmpty ? 0 : clockPriority, .clock(isQuiet: isQuiet)))
        }
        return pick(choices)
    }

    private func pick(_ choices: [(Int, Choice)]) -> Choice? {
        guard walk == nil else { return choices.isEmpty ? nil : random.pick(choices).1 }
        return choices.max { $0.0 < $1.0 }?.1
    }

    /// A thread for a job: any of those that have none, so that tasks come back on other threads.
    ///
    /// Under the mutex.
    private func freeWorker() -> Strand {
        let free = workers.filter { $0.state == .free }
        if !free.isEmpty, free.count > 2 || !random.oneIn(3) { return random.pick(free) }
        let worker = Strand("a task", .free, priority: 0)
        workers.append(worker)
        worker.start { [self] in work(worker) }
        return worker
    }

    private func work(_ worker: Strand) {
        while true {
            guard let job = mutex.withLock({ worker.job.take() }) else { return }
            TaskHooks.run(job.job, isMain: job.isMain)
            if job.isMain { mutex.withLock { isMainBusy = false } }
            leave(worker, as: .free)
        }
    }

    /// Stops a strand of a history that was given up.
    private func stop() {
        while true { sleep(1_000) }
    }
}
