// SPDX-License-Identifier: MIT

internal import DequeModule
internal import OnwardCore

/// Decides which effects start, wait and are cancelled: a pure machine.
///
/// An effect with an id belongs to a lane, which it shares with those of the same id and instance.
/// It passes two doors: the gate (debounce, throttle), which has a timer, and the policy. Each event
/// returns the steps to be taken, in their order. An effect without an id affects no other: it
/// starts at once, and the schedule knows nothing of it.
///
/// | phase     | in the lane as | leaves it by                                                |
/// |-----------|----------------|-------------------------------------------------------------|
/// | waiting   | `waiting`      | the timer, a newer one, cancelling                          |
/// | queued    | `queue`        | the end of those before it, `.latest`, cancelling           |
/// | running   | `running`      | its end, `.latest`, cancelling                              |
/// | cancelled | `leaving`      | its end                                                     |
struct EffectSchedule {
    typealias Key = UInt64
    typealias Phase = RunningEffect.Phase
    /// A number that no other timer of the schedule has.
    typealias TimerNumber = UInt64

    /// Where effects of one id meet.
    struct Slot: Hashable, Sendable {
        let address: Address
        let id: EffectID
    }

    /// What is to be done.
    enum Step: Equatable, Sendable {
        /// Begins an effect.
        case start(Key)
        /// Notes that an effect stands in a queue until it starts or is dropped.
        case wait(Key)
        /// Cancels an effect that has begun; its end will be notified.
        case cancel(Key)
        /// Gives up an effect that has not begun.
        case drop(Key)
        /// Notifies the end of a duration.
        case startTimer(Slot, number: TimerNumber, Duration)
        /// Gives up a timer.
        case stopTimer(TimerNumber)
    }

    private struct Job {
        let slot: Slot
        let policy: EffectPolicy
        var phase: Phase
    }

    private struct Lane {
        /// Held back by the gate.
        var waiting: Key?
        /// The number of the timer that runs; nil when the gate is open.
        var timer: TimerNumber?
        /// When the timer ends.
        var deadline = Duration.zero
        /// What the gate does when the timer ends.
        var timing: EffectTiming?
        var queue = Deque<Key>()
        var running: [Key] = []
        /// Cancelled ones that have not ended.
        var leaving: Set<Key> = []

        var isEmpty: Bool {
            timer == nil && waiting == nil && queue.isEmpty && running.isEmpty && leaving.isEmpty
        }
    }

    private var jobs: [Key: Job] = [:]
    private var lanes: [Slot: Lane] = [:]
    private var lastTimer: TimerNumber = 0
    /// Whether queues stand still.
    private(set) var isPaused = false
    /// Whether nothing starts any more.
    private(set) var isFinished = false

    /// How far an effect has come; nil when it is over, or was not handed over.
    func phase(of key: Key) -> Phase? { jobs[key]?.phase }

    /// An effect was handed over, at a time of the store's clock.
    mutating func submit(
        _ key: Key, to slot: Slot, _ policy: EffectPolicy, _ timing: EffectTiming? = nil,
        at now: Duration = .zero
    ) -> [Step] {
        guard !isFinished else { return [.drop(key)] }
        jobs[key] = Job(slot: slot, policy: policy, phase: .waiting)
        return change(slot) { schedule, lane in
            guard let timing else { return schedule.admit(key, policy, to: &lane) }
            // A timer may be over although its task has not had its turn yet: the clock decides.
            let isOver = lane.timer != nil && lane.deadline <= now
            let stop = isOver ? schedule.stopTimer(&lane) : []
            let steps = isOver ? schedule.endTimer(&lane, at: slot, now) : []
            return stop + steps + schedule.offer(key, policy, timing, to: &lane, at: slot, now)
        }
    }

    /// A timer ended.
    mutating func timerEnded(_ number: TimerNumber, of slot: Slot, at now: Duration) -> [Step] {
        guard lanes[slot]?.timer == number else { return [] }
        return change(slot) { schedule, lane in schedule.endTimer(&lane, at: slot, now) }
    }

    /// An effect that had begun has ended.
    mutating func ended(_ key: Key) -> [Step] {
        guard let job = jobs.removeValue(forKey: key) else { return [] }
        return change(job.slot) { schedule, lane in
            lane.running.removeAll { $0 == key }
            lane.leaving.remove(key)
            return schedule.advance(&lane)
        }
    }

    /// All effects of a slot are to be cancelled.
    mutating func cancel(_ slot: Slot) -> [Step] {
        guard lanes[slot] != nil else { return [] }
        return change(slot) { schedule, lane in
            var steps = schedule.clear(&lane)
            if let waiting = lane.waiting {
                steps.append(schedule.drop(waiting))
                lane.waiting = nil
            }
            if case .debounce = lane.timing { steps += schedule.stopTimer(&lane) }
            return steps
        }
    }

    /// One effect is to be cancelled.
    mutating func cancel(_ key: Key) -> [Step] {
        guard let job = jobs[key] else { return [] }
        switch job.phase {
        case .cancelled: return []
        case .running:
            jobs[key]?.phase = .cancelled
            return change(job.slot) { _, lane in
                lane.running.removeAll { $0 == key }
                lane.leaving.insert(key)
                return [.cancel(key)]
            }
        case .queued, .waiting:
            return change(job.slot) { schedule, lane in
                lane.queue.removeAll { $0 == key }
                if lane.waiting == key { lane.waiting = nil }
                return [schedule.drop(key)]
            }
        }
    }

    /// The gate is travelled: what is queued, or waits for a timer, stays there.
    mutating func pause() {
        isPaused = true
    }

    /// The store is live again.
    mutating func resume(at now: Duration) -> [Step] {
        isPaused = false
        return lanes.keys.flatMap { slot in
            change(slot) { schedule, lane in
                // Its timer may have ended meanwhile.
                (lane.timer == nil ? schedule.admitWaiting(to: &lane, at: slot, now) : [])
                    + schedule.advance(&lane)
            }
        }
    }

    /// Everything is to be cancelled, and nothing starts any more.
    mutating func finish() -> [Step] {
        isFinished = true
        let steps = jobs.keys.sorted().flatMap { cancel($0) }
        return steps + Array(lanes.keys).flatMap { slot in change(slot) { $0.stopTimer(&$1) } }
    }

    // MARK: Lanes

    /// Changes a lane, which exists only while there is something in it.
    private mutating func change(
        _ slot: Slot, _ body: (inout EffectSchedule, inout Lane) -> [Step]
    ) -> [Step] {
        var lane = lanes.removeValue(forKey: slot) ?? Lane()
        let steps = body(&self, &lane)
        if !lane.isEmpty { lanes[slot] = lane }
        return steps
    }

    /// Opens the gate for those that wait at it.
    private mutating func endTimer(
        _ lane: inout Lane, at slot: Slot, _ now: Duration
    ) -> [Step] {
        lane.timer = nil
        return isPaused ? [] : admitWaiting(to: &lane, at: slot, now)
    }

    private mutating func admitWaiting(
        to lane: inout Lane, at slot: Slot, _ now: Duration
    ) -> [Step] {
        guard let key = lane.waiting else { return [] }
        lane.waiting = nil
        var steps: [Step] = []
        if case .throttle(let duration, _) = lane.timing {
            steps.append(startTimer(duration, &lane, at: slot, now))
        }
        return steps + admit(key, jobs[key]?.policy ?? .concurrent, to: &lane)
    }

    /// The gate.
    private mutating func offer(
        _ key: Key, _ policy: EffectPolicy, _ timing: EffectTiming, to lane: inout Lane,
        at slot: Slot, _ now: Duration
    ) -> [Step] {
        lane.timing = timing
        switch timing {
        case .debounce(let duration):
            let steps = (lane.waiting.map { [drop($0)] } ?? []) + stopTimer(&lane)
            lane.waiting = key
            return steps + [startTimer(duration, &lane, at: slot, now)]
        case .throttle(let duration, let edge) where lane.timer == nil && lane.waiting == nil:
            let timer = startTimer(duration, &lane, at: slot, now)
            if edge == .trailing {
                lane.waiting = key
                return [timer]
            }
            return [timer] + admit(key, policy, to: &lane)
        case .throttle(_, .leading):
            return [drop(key)]
        case .throttle:
            let steps = lane.waiting.map { [drop($0)] } ?? []
            lane.waiting = key
            return steps
        }
    }

    /// The policy.
    private mutating func admit(
        _ key: Key, _ policy: EffectPolicy, to lane: inout Lane
    ) -> [Step] {
        switch policy {
        case .concurrent:
            return [start(key, &lane)]
        case .latest:
            return clear(&lane) + [start(key, &lane)]
        case .dropping:
            let isFree = lane.running.isEmpty && lane.queue.isEmpty
            return [isFree ? start(key, &lane) : drop(key)]
        case .queue:
            jobs[key]?.phase = .queued
            lane.queue.append(key)
            let steps = advance(&lane)
            return lane.queue.isEmpty ? steps : steps + [.wait(key)]
        }
    }

    /// Starts the next effect of a queue, when all before it have ended.
    private mutating func advance(_ lane: inout Lane) -> [Step] {
        guard !isPaused, !isFinished, lane.running.isEmpty, lane.leaving.isEmpty,
            let next = lane.queue.popFirst()
        else { return [] }
        return [start(next, &lane)]
    }

    /// Cancels what runs and drops what is queued.
    private mutating func clear(_ lane: inout Lane) -> [Step] {
        var steps: [Step] = []
        for key in lane.running {
            jobs[key]?.phase = .cancelled
            lane.leaving.insert(key)
            steps.append(.cancel(key))
        }
        lane.running = []
        for key in lane.queue { steps.append(drop(key)) }
        lane.queue = []
        return steps
    }

    private mutating func start(_ key: Key, _ lane: inout Lane) -> Step {
        jobs[key]?.phase = .running
        lane.running.append(key)
        return .start(key)
    }

    private mutating func drop(_ key: Key) -> Step {
        jobs[key] = nil
        return .drop(key)
    }

    private func stopTimer(_ lane: inout Lane) -> [Step] {
        defer { lane.timer = nil }
        return lane.timer.map { [.stopTimer($0)] } ?? []
    }

    private mutating func startTimer(
        _ duration: Duration, _ lane: inout Lane, at slot: Slot, _ now: Duration
    ) -> Step {
        lastTimer += 1
        lane.deadline = now + duration
        lane.timer = lastTimer
        return .startTimer(slot, number: lastTimer, duration)
    }
}
