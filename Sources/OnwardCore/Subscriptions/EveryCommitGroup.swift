// SPDX-License-Identifier: MIT

internal import DequeModule

/// How many commits may wait for a subscriber that is notified of every one, and which are left out beyond that.
@usableFromInline
package final class EveryCommit: Sendable {
    let limit: Int
    /// Whether the newest are left out, and not those that wait longest.
    let keepsOldest: Bool
    /// How many were left out.
    private let skipped = Guarded(0)

    package init(limit: Int, keepsOldest: Bool) {
        self.limit = max(limit, 1)
        self.keepsOldest = keepsOldest
    }

    /// How many commits were left out.
    package var lost: Int { skipped.withValue { $0 } }

    func skip() { skipped.withValue { $0 += 1 } }
}

/// A group of one subscriber, which is notified of every commit; a batch counts once.
///
/// Commits copy what it reads as they are made, up to a limit.
final class EveryCommitGroup: SubscriberGroup, @unchecked Sendable {
    private let every: EveryCommit
    @exclusivity(unchecked) private var member: Subscriber?
    @exclusivity(unchecked) private var waiting = Deque<
        (value: Captured, context: DeliveryContext)
    >()
    /// What the round notifies of.
    @exclusivity(unchecked) private var values: Deque<(value: Captured, context: DeliveryContext)> =
        []
    @exclusivity(unchecked) private var changes: [(change: Change, context: DeliveryContext)] = []
    /// The value that the member knows.
    @exclusivity(unchecked) private var last: Captured?
    /// The newest commit that was noted.
    @exclusivity(unchecked) private var noted: CommitVersion = 0
    /// What was left out, to be released outside the lock.
    @exclusivity(unchecked) private var skipped: [(value: Captured, context: DeliveryContext)] = []

    init(
        _ getter: AnyGetter, first: Captured, isSame: Change.IsSame?, _ every: EveryCommit,
        _ member: Subscriber
    ) {
        self.every = every
        self.member = member
        last = first
        super.init(getter, key: nil, isSame: isSame, takesEveryCommit: true)
        count = 1
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] { member.map { [$0] } ?? [] }

    override func remove(
        _ member: Subscriber, _ rest: inout [Any?], _ locked: borrowing Locked
    ) -> Bool {
        self.member = nil
        count = 0
        return true
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer { (waiting, skipped, last) = ([], [], nil) }
        return super.takeContents(locked) + [waiting, skipped, last]
    }

    override func note(
        _ context: DeliveryContext, _ root: UnsafeRawPointer, _ copy: RootCopy?,
        _ locked: borrowing Locked
    ) {
        guard noted < context.version, let getter else { return }
        noted = context.version
        if waiting.count >= every.limit {
            every.skip()
            if every.keepsOldest { return }
            if let oldest = waiting.popFirst() { skipped.append(oldest) }
        }
        var none: EmptyCopy?
        waiting.append((getter.capture(root, copy, in: &none), context))
    }

    override func take(_ root: UnsafeRawPointer, _ locked: borrowing Locked) {
        isTaken = true
        swap(&values, &waiting)
        hasLeftovers = !skipped.isEmpty
    }

    override func finish(_ locked: borrowing Locked) -> [Any?] {
        defer { skipped = [] }
        return super.finish(locked) + [skipped]
    }

    override func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool {
        guard let getter else { return false }
        while let (value, context) = values.popFirst() {
            guard let last = last.take() else { return false }
            let old = getter.value(of: last)
            var none: EmptyCopy?
            guard let new = getter.currentValue(of: value, in: &none),
                !isRepeat(from: old, to: new)
            else {
                self.last = .value(old)
                continue
            }
            changes.append((Change(from: old, to: new), context))
            self.last = .value(new)
        }
        return !changes.isEmpty
    }

    override func notify(_ holder: inout TurnHolder, as context: DeliveryContext) {
        guard let member = holder.storage.withLock({ _ in member }) else { return }
        for (change, context) in changes { holder.call(member, with: change, context) }
    }

    override func settle() { changes = [] }
}
