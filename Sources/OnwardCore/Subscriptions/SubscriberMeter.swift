// SPDX-License-Identifier: MIT

internal import Synchronization

/// How often something ran, and how long it took: counted without a lock.
package struct CostCounter: ~Copyable, Sendable {
    private let count = Atomic<Int>(0)
    private let total = Atomic<Int64>(0)
    private let worst = Atomic<Int64>(0)

    package init() {}

    /// Runs `body`, and counts it in real time; what it waits for counts too.
    package func measure<Result>(_ body: () -> Result) -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        defer { add(start.duration(to: clock.now)) }
        return body()
    }

    private func add(_ duration: Duration) {
        let nanoseconds = duration.wholeNanoseconds
        count.add(1, ordering: .relaxed)
        total.add(nanoseconds, ordering: .relaxed)
        worst.max(nanoseconds, ordering: .relaxed)
    }

    /// What was counted until now.
    package var cost: MeasuredCost {
        MeasuredCost(
            count: count.load(ordering: .relaxed), total: total.load(ordering: .relaxed),
            worst: worst.load(ordering: .relaxed))
    }
}

/// How often something ran, and how long it took, in nanoseconds.
package struct MeasuredCost: Sendable, Hashable {
    package var count = 0
    package var total: Int64 = 0
    package var worst: Int64 = 0

    package init() {}

    init(count: Int, total: Int64, worst: Int64) {
        (self.count, self.total, self.worst) = (count, total, worst)
    }

    /// Adds what others took.
    package mutating func add(_ other: MeasuredCost) {
        count += other.count
        total += other.total
        worst = max(worst, other.worst)
    }
}

/// Where a subscriber came from, and what its calls take; for those that subscribe while their store is inspected.
///
/// The body of such a subscriber is wrapped before anyone can call it, so nobody pays for it elsewhere.
package final class SubscriberMeter: Sendable {
    /// Where it subscribed; nil for what the library subscribes itself, for views and for effects of the state.
    package let origin: ActionOrigin?
    /// The newest commit when it subscribed.
    package let since: CommitVersion
    package let calls = CostCounter()
    /// How many more values it has skipped than its group since that was made.
    private let skippedBesideGroup = Atomic<Int>(0)

    init(_ origin: ActionOrigin?, since: CommitVersion) {
        self.origin = origin
        self.since = since
    }

    /// Joins a group, whose earlier values it doesn't miss.
    func join(_ group: SubscriberGroup, _ locked: borrowing Locked) {
        skippedBesideGroup.store(-group.skippedCount, ordering: .relaxed)
    }

    /// Notes that a call that waited for its actor was replaced by a later one.
    func noteReplacedCall() { skippedBesideGroup.add(1, ordering: .relaxed) }

    /// The values that it has skipped, as a member of a group.
    func skipped(in group: SubscriberGroup?, _ locked: borrowing Locked) -> Int {
        max((group?.skippedCount ?? 0) + skippedBesideGroup.load(ordering: .relaxed), 0)
    }
}
