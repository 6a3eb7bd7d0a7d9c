// SPDX-License-Identifier: MIT

import Onward

/// Says what the effects of a trial do, by the words of their documentation and nothing else.
///
/// It knows no tasks, no locks and no clock: what waits is a closure with a time, and whatever happens at one moment
/// happens before the next, in an order that it is given. A modifier is put around what stands before it. An effect
/// with an id, a policy or something that is called at its end is one of its own, a `Job`, wherever it stands; all else
/// belongs to the job that it stands in.
final class EffectModel {
    /// A rule that is left out, which trials have to notice.
    enum Mistake: CaseIterable {
        case latestEndsNone, latestWaitsForPauses, droppingStarts, queueStarts, debounceKeepsFirst,
            throttleHoldsNone, policyIsLostBehindGates, partsShareNames, timeoutForgets,
            retryOnceMore, retryPassesGatesOnce, repetitionOverlaps, sequenceGoesOn,
            mergeStopsOthers, cancellationIsSilent, handledEnds
    }

    /// What became of work, to what waits for it.
    enum Outcome {
        case finished
        case failed(String)
        /// It was cancelled or dropped, or had reported its error itself.
        case ended
    }

    private let trial: EffectTrial
    private let mistake: Mistake?
    private(set) var events: [EffectTrial.Event] = []
    /// In which order it did what is due at one moment.
    private(set) var orders: EffectOrders
    private var now = 0
    private var timers: [Timer] = []
    /// What is due at this moment.
    private var turns: [Turn] = []
    private var jobs: [Job] = []
    private var lastNumber = 0
    private var lanes: [GateName: Lane] = [:]
    private var attempts: [Int: Int] = [:]

    init(_ trial: EffectTrial, _ mistake: Mistake? = nil, in orders: EffectOrders = EffectOrders())
    {
        self.trial = trial
        self.mistake = mistake
        self.orders = orders
    }

    func run() {
        for start in trial.starts {
            advance(to: start.time)
            begin(Shape(start.tree, in: mistake == .partsShareNames ? 0 : start.part))
            settle()
        }
        advance(to: trial.end)
    }

    // MARK: Time

    private final class Timer {
        let time: Int
        let body: () -> Void
        var isOver = false

        init(_ time: Int, _ body: @escaping () -> Void) {
            self.time = time
            self.body = body
        }
    }

    private func after(_ duration: Int, _ body: @escaping () -> Void) -> Timer {
        let timer = Timer(now + duration, body)
        timers.append(timer)
        return timer
    }

    /// What a task does at one moment.
    private struct Turn {
        let isOver: () -> Bool
        let body: () -> Void
    }

    /// What is due at a time is over before anything begins then.
    private func advance(to time: Int) {
        while true {
            timers.removeAll(where: \.isOver)
            guard let next = timers.map(\.time).min(), next <= time else { break }
            now = next
            for timer in timers where timer.time == now {
                turns.append(
                    Turn(isOver: { timer.isOver }) {
                        timer.isOver = true
                        timer.body()
                    })
            }
            settle()
        }
        now = time
        note(EffectTrial.phases(jobs.map(\.phase)))
    }

    private func settle() {
        while true {
            turns.removeAll { $0.isOver() }
            if turns.isEmpty { return }
            turns.remove(at: orders.pick(of: turns.count, at: now)).body()
        }
    }

    /// Has a task go on at this moment, unless it was stopped.
    private func goOn(_ progress: Progress, _ body: @escaping () -> Void) {
        turns.append(Turn(isOver: { progress.isStopped }, body: body))
    }

    private func note(_ text: String) {
        events.append(EffectTrial.Event(time: now, text: text))
    }

    // MARK: Shapes

    /// What an effect is, once its modifiers stand where they belong.
    private struct Shape {
        indirect enum Body {
            case work(EffectTree.Work)
            case merge([Shape])
            case sequence([Shape])
            case cancel(Int)
            case gate(Int, Body)
            case timeout(Int, Body)
            case retry(attempts: Int, pause: Int, Body)
            case repeated(Int, Body)
        }

        var body: Body
        var name: GateName
        /// The work that its id, its policy and what is called at its end are those of.
        var own: EffectTree.Work?
        /// How many gates it stands behind, those of its parts not counted.
        var ownGates = 0
        var gateCount: Int

        init(_ tree: EffectTree, in part: Int) {
            gateCount = tree.gateCount
            name = tree.id.map(GateName.id) ?? .part(part)
            switch tree {
            case .work(let work):
                body = .work(work)
                own = work.isBare ? nil : work
            case .merge(let parts): body = .merge(parts.map { Shape($0, in: part) })
            case .sequence(let parts): body = .sequence(parts.map { Shape($0, in: part) })
            case .cancel(let id): body = .cancel(id)
            case .gated(let inner):
                self = Shape(inner, in: part)
                body = .gate(inner.gateCount, body)
                gateCount = inner.gateCount + 1
                ownGates += 1
            case .timeout(let duration, let inner):
                self = Shape(inner, in: part)
                wrap { .timeout(duration, $0) }
            case .retry(let attempts, let pause, let inner):
                self = Shape(inner, in: part)
                wrap { .retry(attempts: attempts, pause: pause, $0) }
            case .repeated(let interval, let inner):
                self = Shape(inner, in: part)
                wrap { .repeated(interval, $0) }
            }
        }

        /// Of a merge each effect has it for itself.
        private mutating func wrap(_ change: (Body) -> Body) {
            guard case .merge(let parts) = body else {
                body = change(body)
                return
            }
            body = .merge(
                parts.map { part in
                    var part = part
                    part.wrap(change)
                    return part
                })
        }

        /// Whether it is a job of its own inside another effect.
        var isApart: Bool { own != nil || ownGates > 0 }
    }

    // MARK: Jobs

    /// What is under way, and how it is stopped without a word to what waits for it.
    private final class Progress {
        private(set) var isStopped = false
        var stopping: () -> Void = {}

        func stop() {
            isStopped = true
            stopping()
        }
    }

    private final class Job {
        let number: Int
        let shape: Shape
        let reportsItself: Bool
        let done: (Outcome) -> Void
        let progress = Progress()
        var phase = RunningEffect.Phase.running
        var isAdmitted = false
        var isOver = false

        init(
            _ number: Int, _ shape: Shape, reportsItself: Bool, _ done: @escaping (Outcome) -> Void
        ) {
            self.number = number
            self.shape = shape
            self.reportsItself = reportsItself
            self.done = done
        }

        var isNamed: Bool { shape.own?.isNamed ?? false }
        var policy: EffectPolicy { shape.own?.policy ?? .concurrent }
    }

    /// Begins what an action is answered with.
    private func begin(_ shape: Shape) {
        switch shape.body {
        case .merge(let parts) where !shape.isApart: for shape in parts { begin(shape) }
        case .cancel(let id): cancel(id)
        default: submit(shape, reportsItself: true) { _ in }
        }
    }

    @discardableResult
    private func submit(
        _ shape: Shape, reportsItself: Bool, _ done: @escaping (Outcome) -> Void
    ) -> Job {
        lastNumber += 1
        let job = Job(lastNumber, shape, reportsItself: reportsItself, done)
        jobs.append(job)
        // What stands outermost holds it before it begins.
        var gates: [Int] = []
        var body = shape.body
        while case .gate(let level, let inner) = body {
            gates.append(level)
            body = inner
        }
        let isInnermost = gates.last.map { $0 == 0 } ?? (shape.gateCount == 0)
        pass(gates, job) { [self] in
            let work = { [self] in
                goOn(job.progress) { [self] in
                    run(body, of: job, job.progress) { [self] in finish(job, $0) }
                }
            }
            if isInnermost { admit(job, work) } else { work() }
        }
        return job
    }

    private func pass(_ gates: [Int], _ job: Job, _ then: @escaping () -> Void) {
        guard let first = gates.first else { return then() }
        offer(job, to: first) { [self] in pass(Array(gates.dropFirst()), job, then) }
    }

    private func finish(_ job: Job, _ outcome: Outcome) {
        guard !job.isOver else { return }
        job.isOver = true
        jobs.removeAll { $0 === job }
        leave(job)
        var outcome = outcome
        if case .failed(let error) = outcome {
            if job.shape.own?.hasHandler == true, let work = job.shape.own {
                note("\(work.serial) handles \(error)")
                outcome = mistake == .handledEnds ? .ended : .finished
            } else if job.reportsItself {
                note("failed \(error)")
            }
        }
        if case .ended = outcome, let work = job.shape.own, work.hasCancellation,
            mistake != .cancellationIsSilent
        {
            note("\(work.serial) cancelled")
        }
        advance(job.shape.name)
        job.done(outcome)
    }

    /// Ends a job from outside.
    private func cancel(_ job: Job) {
        guard !job.isOver else { return }
        job.progress.stop()
        finish(job, .ended)
    }

    /// Cancels the effects of an id.
    private func cancel(_ id: Int) {
        let members = jobs.filter { $0.isNamed && $0.shape.name == .id(id) }
        // Those that wait have nobody's end to wait for any more.
        lanes[.id(id)]?.queue = []
        for job in members.sorted(by: { $0.number < $1.number }) { cancel(job) }
    }

    // MARK: Work

    /// Does what an effect consists of.
    private func run(
        _ body: Shape.Body, of job: Job, _ progress: Progress, _ done: @escaping (Outcome) -> Void
    ) {
        switch body {
        case .work(let work):
            attempts[work.serial, default: 0] += 1
            let attempt = attempts[work.serial] ?? 0
            let timer = after(work.duration) { [self] in
                if attempt <= work.failures { return done(.failed("work \(work.serial)")) }
                note("answer of \(work.serial)")
                done(.finished)
            }
            progress.stopping = { timer.isOver = true }
        case .cancel(let id):
            cancel(id)
            done(.finished)
        case .merge(let parts): merge(parts, progress, done)
        case .sequence(let steps): step(steps[...], of: job, progress, done)
        case .gate(let level, let inner):
            progress.stopping = { [self] in leave(job) }
            let work = { [self] in
                goOn(progress) { [self] in run(inner, of: job, progress, done) }
            }
            offer(job, to: level) { [self] in
                if level == 0 { admit(job, work) } else { work() }
            }
        case .timeout(let duration, let inner):
            let inside = Progress()
            let timer = after(duration) {
                inside.stop()
                done(.failed("timedOut"))
            }
            progress.stopping = {
                timer.isOver = true
                inside.stop()
            }
            run(inner, of: job, inside) { [self] outcome in
                goOn(inside) { [self] in
                    if mistake != .timeoutForgets { timer.isOver = true }
                    done(outcome)
                }
            }
        case .retry(let attempts, let pause, let inner):
            attempt(1, of: attempts, pause, inner, job, progress, done)
        case .repeated(let interval, let inner):
            repeated(since: now, tick: 0, every: interval, inner, job, progress, done)
        }
    }

    private func merge(
        _ parts: [Shape], _ progress: Progress, _ done: @escaping (Outcome) -> Void
    ) {
        var left = parts.count
        var haveAllFinished = true
        var inner: [Job] = []
        progress.stopping = { [self] in for job in inner { cancel(job) } }
        for part in parts {
            let job = submit(part, reportsItself: true) { [self] outcome in
                left -= 1
                if case .finished = outcome {
                } else {
                    haveAllFinished = false
                    if mistake == .mergeStopsOthers { for job in inner { cancel(job) } }
                }
                guard left == 0, !progress.isStopped else { return }
                goOn(progress) { done(haveAllFinished ? .finished : .ended) }
            }
            inner.append(job)
        }
    }

    private func step(
        _ steps: ArraySlice<Shape>, of job: Job, _ progress: Progress,
        _ done: @escaping (Outcome) -> Void
    ) {
        guard let first = steps.first else { return done(.finished) }
        let next: (Outcome) -> Void = { [self] outcome in
            guard !progress.isStopped else { return }
            switch outcome {
            case .finished: step(steps.dropFirst(), of: job, progress, done)
            case _ where mistake == .sequenceGoesOn:
                step(steps.dropFirst(), of: job, progress, done)
            default: done(outcome)
            }
        }
        guard first.isApart else { return run(first.body, of: job, progress, next) }
        var inner: Job?
        progress.stopping = { [self] in if let inner { cancel(inner) } }
        inner = submit(first, reportsItself: false, next)
    }

    private func attempt(
        _ number: Int, of attempts: Int, _ pause: Int, _ body: Shape.Body, _ job: Job,
        _ progress: Progress, _ done: @escaping (Outcome) -> Void
    ) {
        var body = body
        if number > 1, mistake == .retryPassesGatesOnce {
            while case .gate(_, let inner) = body { body = inner }
        }
        run(body, of: job, progress) { [self] outcome in
            let isLast = number >= attempts + (mistake == .retryOnceMore ? 1 : 0)
            guard case .failed = outcome, !isLast else { return done(outcome) }
            let timer = after(pause) { [self] in
                attempt(number + 1, of: attempts, pause, body, job, progress, done)
            }
            progress.stopping = { timer.isOver = true }
        }
    }

    /// Work that takes longer than an interval misses some.
    private func repeated(
        since start: Int, tick: Int, every interval: Int, _ body: Shape.Body, _ job: Job,
        _ progress: Progress, _ done: @escaping (Outcome) -> Void
    ) {
        run(body, of: job, progress) { [self] outcome in
            guard case .finished = outcome else { return done(outcome) }
            let passed = (now - start) / interval
            let next = (mistake == .repetitionOverlaps ? tick : max(tick, passed)) + 1
            let timer = after(max(start + next * interval - now, 0)) { [self] in
                repeated(since: start, tick: next, every: interval, body, job, progress, done)
            }
            progress.stopping = { timer.isOver = true }
        }
    }

    // MARK: Names

    /// The effects of one name.
    private struct Lane {
        struct Gate {
            var held: (job: Job, then: () -> Void)?
            var timer: Timer?
        }

        var gates: [Int: Gate] = [:]
        var active: [Job] = []
        var queue: [(job: Job, then: () -> Void)] = []
    }

    /// An effect comes to a debounce or a throttle.
    private func offer(_ job: Job, to level: Int, _ then: @escaping () -> Void) {
        let name = job.shape.name
        let timing = trial.timing(of: name, at: level)
        // Where its time is over the gate is open, also before its timer has had its turn.
        if let timer = lanes[name]?.gates[level]?.timer, !timer.isOver, timer.time <= now {
            timer.isOver = true
            open(level, of: name)
        }
        var lane = lanes[name] ?? Lane()
        var gate = lane.gates[level] ?? Lane.Gate()
        func keep() {
            lane.gates[level] = gate
            lanes[name] = lane
        }
        let isOpen = gate.held == nil && gate.timer == nil
        let older = gate.held?.job
        switch timing.edge {
        case nil where mistake == .debounceKeepsFirst && older != nil: return cancel(job)
        case nil:
            gate.timer?.isOver = true
            gate.held = (job, then)
            gate.timer = after(timing.duration) { [self] in open(level, of: name) }
        case let edge? where isOpen:
            gate.timer = after(timing.duration) { [self] in open(level, of: name) }
            guard edge == .trailing else {
                keep()
                return then()
            }
            gate.held = (job, then)
        case .leading: return cancel(job)
        default:
            if mistake == .throttleHoldsNone { return cancel(job) }
            gate.held = (job, then)
        }
        job.phase = .waiting
        keep()
        if let older { cancel(older) }
        // What is newer answers for what came before as soon as a debounce holds it.
        if timing.edge == nil, job.isNamed, !job.isAdmitted, job.policy == .latest,
            mistake != .latestWaitsForPauses
        {
            cancelOthers(before: job)
        }
    }

    private func open(_ level: Int, of name: GateName) {
        guard let held = lanes[name]?.gates[level]?.held else {
            lanes[name]?.gates[level]?.timer = nil
            return
        }
        let timing = trial.timing(of: name, at: level)
        lanes[name]?.gates[level]?.held = nil
        lanes[name]?.gates[level]?.timer =
            timing.edge == nil
            ? nil : after(timing.duration) { [self] in open(level, of: name) }
        held.job.phase = .running
        held.then()
    }

    /// An effect comes to its policy, until that has let it pass.
    private func admit(_ job: Job, _ then: @escaping () -> Void) {
        let name = job.shape.name
        guard job.isNamed, !job.isAdmitted else { return then() }
        func start() {
            job.isAdmitted = true
            lanes[name, default: Lane()].active.append(job)
            then()
        }
        let isLost = mistake == .policyIsLostBehindGates && job.shape.ownGates > 0
        let (active, queue) = (lanes[name]?.active ?? [], lanes[name]?.queue ?? [])
        switch isLost ? .concurrent : job.policy {
        case .concurrent: start()
        case .latest:
            if mistake != .latestEndsNone { cancelOthers(before: job) }
            start()
        case .dropping:
            if (active.isEmpty && queue.isEmpty) || mistake == .droppingStarts {
                start()
            } else {
                cancel(job)
            }
        case .queue:
            if (active.isEmpty && queue.isEmpty) || mistake == .queueStarts { return start() }
            job.phase = .queued
            lanes[name, default: Lane()].queue.append((job, then))
        }
    }

    /// Cancels what an effect takes the place of.
    private func cancelOthers(before job: Job) {
        let name = job.shape.name
        let active = lanes[name]?.active ?? []
        // Those that came later and are still held are newer.
        let others = jobs.filter { other in
            other !== job && other.isNamed && other.shape.name == name
                && (other.number < job.number || active.contains { $0 === other }
                    || other.phase == .queued)
        }
        lanes[name, default: Lane()].queue = []
        for other in others { cancel(other) }
    }

    /// An effect is taken away from where it is held.
    private func leave(_ job: Job) {
        let name = job.shape.name
        for (level, gate) in lanes[name]?.gates ?? [:] where gate.held?.job === job {
            lanes[name]?.gates[level]?.held = nil
            if trial.timing(of: name, at: level).edge == nil {
                gate.timer?.isOver = true
                lanes[name]?.gates[level]?.timer = nil
            }
        }
        lanes[name]?.queue.removeAll { $0.job === job }
        if job.isOver { lanes[name]?.active.removeAll { $0 === job } }
        job.phase = .running
    }

    /// The next of a queue starts when all before it have ended.
    private func advance(_ name: GateName) {
        guard lanes[name]?.active.isEmpty == true, lanes[name]?.queue.isEmpty == false,
            let next = lanes[name]?.queue.removeFirst()
        else { return }
        next.job.phase = .running
        next.job.isAdmitted = true
        lanes[name]?.active.append(next.job)
        next.then()
    }
}
