// SPDX-License-Identifier: MIT

internal import OnwardCore

/// All effects of a store that are not over: a pure machine.
///
/// Each event returns the steps to be taken, in their order; `EffectRunner` guards the table and takes
/// them after unlocking. What an effect is called, and how it meets others of that name, stands in its ``EffectPlace``;
/// one without a place affects no other and starts at once.
///
/// | phase     | the effect is                           | leaves it by                                  |
/// |-----------|-----------------------------------------|-----------------------------------------------|
/// | waiting   | held by a gate (debounce, throttle)     | the timer, a newer one, cancelling            |
/// | queued    | behind others of its name               | the end of those before it, `.latest`, cancelling |
/// | running   | at work                                 | its end, a gate inside it, `.latest`, cancelling |
/// | cancelled | cancelled or given up, but not over yet | its end                                       |
///
/// This file holds what lives, `EffectTable+Lanes.swift` who may start, and `EffectTable+Rest.swift` who waits for
/// what.
struct EffectTable<Job, Timer, Waiter> {
    /// Where an effect stands in the table; the number is that of no other effect, and grows.
    struct Key: Hashable, Comparable, Sendable {
        let number: UInt64
        fileprivate let index: Int

        /// That of no effect.
        static var none: Key { Key(number: 0, index: .max) }

        static func < (left: Key, right: Key) -> Bool { left.number < right.number }
        static func == (left: Key, right: Key) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    typealias Phase = RunningEffect.Phase
    /// A number that no other timer of the table has.
    typealias TimerNumber = UInt64

    /// What is to be done.
    enum Step {
        /// Lets an effect pass: it begins, or continues where it was held.
        case go(Job)
        /// Cancels an effect that has begun; its end will be reported.
        case cancel(Job)
        /// Turns an effect away: it never begins, or ends where it is held.
        case drop(Job)
        /// The same for an effect that would wait for one that waits for it.
        case refuse(Job, behind: Job)
        /// Reports that an effect ends another one, made elsewhere, as neither has an id.
        case confuse(Job, with: Job)
        /// Reports when a duration is over.
        case startTimer(EffectGateID, number: TimerNumber, Duration)
        case stopTimer(Timer)
        /// Resumes a task whose wait is over.
        case resume(Waiter)
    }

    /// What the table has to know of an effect.
    struct Traits {
        /// The entry that started it.
        var version: CommitVersion?
        /// Whether rest has to wait for it: it ends by itself, as no piece of state keeps it alive.
        var blocksIdle = true
        var place: EffectPlace?
        /// What it ends with, such as the instance that it belongs to.
        var owners: [ObjectIdentifier] = []
        /// The effect that waits for its end.
        var whole: Key?
        /// Whether that effect does nothing else meanwhile, as this one is a part of it.
        var isPart = false
    }

    struct Entry {
        let key: Key
        let job: Job
        let traits: Traits
        var phase = Phase.running
        /// The gates that it has to pass before it continues, the next one last.
        var gates: [EffectGate] = []
        /// Whether its policy is asked behind them.
        var isAdmissionDue = false
        var standing = Standing.outside
        /// In how many waits for other effects it is.
        var waits = 0
    }

    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var lastNumber: UInt64 = 0
    /// The effects of each owner.
    private var owned: [ObjectIdentifier: Set<Key>] = [:]

    // Used in `EffectTable+Lanes.swift`.
    var lanes: [EffectSlot: Lane] = [:]
    /// How many effects were looked at or moved in lanes and waits: what events cost.
    var visits = 0
    /// The timers that run; nil for one whose task is being made.
    var timers: [TimerNumber: Timer?] = [:]
    var lastTimer: TimerNumber = 0
    /// Whether gates and queues stand still, as time travel shows another moment.
    var isPaused = false
    /// Whether nothing starts any more.
    private(set) var isFinished = false

    // Used in `EffectTable+Rest.swift`.
    var counts = Counts()
    /// Which effects wait for which others.
    var links = Links()
    /// The commits whose effects are still to be made.
    var due: Set<CommitVersion> = []
    var waiters: [Goal: [UInt64: Waiter]] = [:]
    var lastWaiter: UInt64 = 0

    // MARK: Coming and going

    /// Adds an effect at a time of the store's clock.
    mutating func add(_ job: Job, _ traits: Traits, at now: Duration = .zero) -> (Key, [Step]) {
        lastNumber += 1
        let key = Key(number: lastNumber, index: free.popLast() ?? entries.count)
        let entry = Entry(key: key, job: job, traits: traits)
        if key.index == entries.count { entries.append(entry) } else { entries[key.index] = entry }
        for owner in traits.owners { owned[owner, default: []].insert(key) }
        counts.add(traits)
        var steps: [Step] = []
        if let whole = traits.whole {
            links.parts[whole, default: []].insert(key)
            noteLinks(of: whole)
            if traits.isPart { steps = beginWaiting(whole) }
        }
        if isFinished {
            entries[key.index]?.phase = .cancelled
            steps.append(.drop(job))
        } else if let place = traits.place {
            steps += enter(key, place, at: now)
        } else {
            steps.append(.go(job))
        }
        return (key, steps)
    }

    /// An effect is over.
    mutating func remove(_ key: Key) -> [Step] {
        guard let entry = self[key] else { return [] }
        // At work again in the same moment, or rest would seem to be reached in between: the
        // next one in the queue, and the effect that this one is a part of.
        var steps = entry.traits.place.map { exit(key, $0) } ?? []
        if entry.traits.isPart, let whole = entry.traits.whole { endWaiting(whole) }
        for owner in entry.traits.owners {
            owned[owner]?.remove(key)
            if owned[owner]?.isEmpty == true { owned[owner] = nil }
        }
        counts.remove(entry.traits, isWaiting: self[key]?.waits ?? 0 > 0)
        removeLinks(of: entry)
        entries[key.index] = nil
        free.append(key.index)
        steps += served(by: entry.traits)
        return steps
    }

    /// What is known of an effect; nil when it is over.
    subscript(key: Key) -> Entry? {
        let entry = key.index < entries.count ? entries[key.index] : nil
        return entry?.key == key ? entry : nil
    }

    /// Changes what is known of an effect that is not over.
    mutating func update(_ key: Key, _ change: (inout Entry) -> Void) {
        guard self[key] != nil, var entry = entries[key.index].take() else { return }
        change(&entry)
        entries[key.index] = entry
    }

    /// The effects and how far they have come, oldest first.
    var list: [(job: Job, phase: Phase, isResting: Bool)] {
        sorted.map { ($0.job, $0.phase, $0.waits > 0) }
    }

    private var sorted: [Entry] { entries.compactMap(\.self).sorted { $0.key < $1.key } }

    // MARK: Cancelling

    /// One effect is to be cancelled.
    mutating func cancel(_ key: Key) -> [Step] {
        guard let entry = self[key], entry.phase != .cancelled else { return [] }
        guard let place = entry.traits.place else {
            update(key) { $0.phase = .cancelled }
            return [.cancel(entry.job)]
        }
        return change(place.slot) { $0.cancel(key, in: &$1) }
    }

    /// All effects of an owner are to be cancelled.
    mutating func cancel(of owner: AnyObject) -> [Step] {
        (owned[ObjectIdentifier(owner)] ?? []).sorted().flatMap { cancel($0) }
    }

    /// Everything is to be cancelled, and nothing starts any more.
    mutating func finish() -> [Step] {
        isFinished = true
        let steps = sorted.flatMap { cancel($0.key) }
        return steps + stopAllTimers()
    }
}

extension EffectTable.Step: Equatable where Job: Equatable, Timer: Equatable, Waiter: Equatable {}
