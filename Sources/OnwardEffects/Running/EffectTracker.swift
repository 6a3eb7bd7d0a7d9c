// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Counts the effects there are, and knows which tasks wait for which of them to end: a pure machine.
///
/// Each event returns those whose wait is over. It looks only at the goals that the event can have
/// reached, so that an end costs the same however many wait.
///
/// An effect that itself waits for effects (``beginWaiting(_:)``) is not at work. So two effects that both wait for
/// all others don't wait for each other; a task that waits from outside waits for both. Nor is an effect at
/// work that stands in a queue, or that waits for its own parts: what is before it, and each part, counts for
/// itself. One of them may wait for rest, and would otherwise wait forever for those that wait for it.
struct EffectTracker<Waiter> {
    typealias Key = EffectSchedule.Key

    /// What a task waits for.
    enum Goal: Hashable {
        /// All effects have ended, except those of a state.
        case idle
        /// The same, except those that wait for effects themselves; for one of these.
        case othersIdle
        /// All effects have ended.
        case empty
        /// The effects of an entry have ended.
        case end(of: Version)
    }

    /// What an effect counts as.
    struct Member {
        let key: Key
        /// The entry that started it.
        let version: Version?
        /// Whether rest has to wait for it: it ends by itself, as nothing of the state keeps it alive.
        let blocksIdle: Bool
    }

    /// How many effects there are.
    private var count = 0
    private var blockingCount = 0
    /// How many of those wait for effects.
    private var waitingCount = 0
    /// How many waits for effects an effect is in; only for effects that are in one, as few are.
    private var waits: [Key: Int] = [:]
    private var blockingCounts = EntryCounts()
    /// The commits whose reactions are due.
    private var due: Set<Version> = []
    private var waiters: [Goal: [UInt64: Waiter]] = [:]

    /// Whether nothing is left to wait for.
    func isReached(_ goal: Goal) -> Bool {
        switch goal {
        case .idle: due.isEmpty && blockingCount == 0
        case .othersIdle: due.isEmpty && blockingCount == waitingCount
        case .empty: count == 0
        case .end(let version): !due.contains(version) && !blockingCounts.contains(version)
        }
    }

    // MARK: Effects

    /// An effect was handed over.
    mutating func add(_ member: Member) {
        count += 1
        guard member.blocksIdle else { return }
        blockingCount += 1
        if let version = member.version { blockingCounts.add(version) }
    }

    /// An effect that was added is over.
    mutating func remove(_ member: Member) -> [Waiter] {
        count -= 1
        let hasWaited = !waits.isEmpty && waits.removeValue(forKey: member.key) != nil
        if member.blocksIdle {
            blockingCount -= 1
            if hasWaited { waitingCount -= 1 }
            if let version = member.version { blockingCounts.remove(version) }
        }
        guard !waiters.isEmpty else { return [] }
        guard member.blocksIdle else { return served([.empty]) }
        let ofEntry: [Goal] = member.version.map { [.end(of: $0)] } ?? []
        return served(ofEntry + [.empty, .idle, .othersIdle])
    }

    /// An effect that is there begins to wait for others.
    mutating func beginWaiting(_ member: Member) -> [Waiter] {
        waits[member.key, default: 0] += 1
        guard member.blocksIdle, waits[member.key] == 1 else { return [] }
        waitingCount += 1
        return served([.othersIdle])
    }

    /// An effect that waited for others is at work again; nothing when it did not wait.
    mutating func endWaiting(_ member: Member) {
        guard !waits.isEmpty, let count = waits.removeValue(forKey: member.key) else { return }
        if count > 1 {
            waits[member.key] = count - 1
        } else if member.blocksIdle {
            waitingCount -= 1
        }
    }

    // MARK: Reactions

    /// A commit has reactions that are due.
    mutating func expect(_ version: Version) {
        due.insert(version)
    }

    /// The reactions of a commit were called.
    mutating func reacted(to version: Version) -> [Waiter] {
        due.remove(version)
        return served([.end(of: version), .idle, .othersIdle])
    }

    // MARK: Waiting

    /// A task waits; `number` distinguishes waiters.
    mutating func wait(for goal: Goal, _ number: UInt64, _ waiter: Waiter) {
        waiters[goal, default: [:]][number] = waiter
    }

    /// A task no longer waits; nil when the wait is already over.
    mutating func cancelWait(_ goal: Goal, _ number: UInt64) -> Waiter? {
        let waiter = waiters[goal]?.removeValue(forKey: number)
        if waiters[goal]?.isEmpty == true { waiters[goal] = nil }
        return waiter
    }

    private mutating func served(_ goals: [Goal]) -> [Waiter] {
        guard !waiters.isEmpty else { return [] }
        return goals.flatMap { goal in
            guard waiters[goal] != nil, isReached(goal) else { return [Waiter]() }
            return Array((waiters.removeValue(forKey: goal) ?? [:]).values)
        }
    }
}
