// SPDX-License-Identifier: MIT

internal import DequeModule

/// The subscribers of single rows of one table.
///
/// Problem: with a subscriber per row, a commit must cost what it changed, not how many rows are
/// watched.
///
/// Strategy: between commits the group keeps only the table's mark, which holds no rows, so that the
/// next commit changes the table in place. A delivery asks the new table what changed since the
/// mark, and looks up the subscribers of these ids (`RowChangeDetector` does both; it knows the types). A delivery
/// that is made at once looks at the table where it lies in the state; only one that waits copies it.
final class RowGroup: SubscriberGroup, @unchecked Sendable {
    /// What the subscribing shell, which knows the types, keeps the rows in.
    let detector: AnyRowChangeDetector
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// Those that came knowing more of the table than the others.
    @exclusivity(unchecked) private var arrivals: RowArrivals?
    @exclusivity(unchecked) private var taken: Captured?
    @exclusivity(unchecked) private var takenArrivals: RowArrivals?

    private struct Step {
        let captured: Captured
        let arrivals: RowArrivals?
    }

    init(
        _ getter: AnyGetter, key: GroupKey?, _ detector: AnyRowChangeDetector,
        isSame: Change.IsSame?
    ) {
        self.detector = detector
        super.init(getter, key: key, isSame: isSame)
    }

    /// Counts a subscriber that the detector has got; with `isAhead` one that knows more of the table than
    /// the others, or not the same.
    func added(_ member: Subscriber, isAhead: Bool, _ locked: borrowing Locked) {
        count += 1
        guard isAhead else { return }
        let arrivals = arrivals ?? RowArrivals(first: member.order)
        arrivals.members.append(member)
        self.arrivals = arrivals
    }

    override func remove(_ member: Subscriber, _ locked: borrowing Locked) -> Bool {
        detector.remove(member, locked)
        count -= 1
        return isEmpty
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] {
        detector.everyone(locked)
    }

    override func isBehind(_ locked: borrowing Locked) -> Bool {
        isDirty || !waiting.isEmpty
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer {
            waiting = []
            arrivals = nil
        }
        return super.takeContents(locked) + [waiting, arrivals]
    }

    override func capture(
        _ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool, _ locked: borrowing Locked
    ) {
        switch borrowedGetter {
        case .some(let getter):
            guard isDueNow else {
                let captured = capture(getter.value, root, copy, isDueNow, locked)
                return waiting.append(Step(captured: captured, arrivals: arrivals.take()))
            }
            isTaken = true
            detector.look(getter.value.address(in: root), arrivals.take(), locked)
        case .none: return
        }
    }

    override func take(_ locked: borrowing Locked) {
        guard let step = waiting.popFirst() else { return }
        isTaken = true
        taken = step.captured
        takenArrivals = step.arrivals
    }

    override func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool {
        switch borrowedGetter {
        case .some(let getter):
            // Otherwise it was looked at where it lies.
            if let table = takeTable(getter.value, in: root) {
                let arrivals = takenArrivals.take()
                // The table itself goes after the lock.
                table.withPointer { table in
                    storage.withLock { detector.look(table, arrivals, $0) }
                }
            }
            return detector.compare()
        case .none: return false
        }
    }

    /// The table that was taken, or that is computed from a root state; nil where it was looked at already.
    @inline(__always)
    private func takeTable(_ getter: AnyGetter, in root: RootCopy?) -> ValueCopy? {
        if let captured = taken.take() { return getter.value(of: consume captured) }
        return needsRoot ? root.map { getter.value(of: .root($0)) } : nil
    }

    override func forEachNotification(
        of storage: LockedStorage, _ body: (Subscriber, Change) -> Void
    ) {
        detector.forEachNotification(storage, body)
    }

    override func settle() { detector.settle() }
}

/// Subscribers of rows that know other values than those that came before them, until the next delivery has
/// given each of its own change.
@usableFromInline
final class RowArrivals: @unchecked Sendable {  // As the group they belong to.
    /// The position of the first of them among all listeners.
    @usableFromInline let first: UInt64
    @usableFromInline @exclusivity(unchecked) var members: [Subscriber] = []

    init(first: UInt64) {
        self.first = first
    }
}
