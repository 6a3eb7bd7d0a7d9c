// SPDX-License-Identifier: MIT

internal import DequeModule

/// The subscribers of single rows of one table.
///
/// Problem: with a subscriber per row, a commit must cost what it changed, not how many rows are
/// watched.
///
/// Strategy: between commits the group keeps only the table's mark, which holds no rows, so that the
/// next commit changes the table in place. A delivery asks the new table what changed since the
/// mark, and looks up the subscribers of these ids (`TableWatch` does both; it knows the types).
final class RowGroup: SelectionGroup, @unchecked Sendable {
    /// What the subscribing shell, which knows the types, keeps the rows in.
    let watch: AnyTableWatch
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// Those that came and knew more of the table than the others.
    @exclusivity(unchecked) private var arrivals: RowArrivals?
    @exclusivity(unchecked) private var taken: Step?

    private struct Step {
        let captured: Captured
        let arrivals: RowArrivals?
    }

    init(
        _ selection: Selection, key: GroupKey?, _ watch: AnyTableWatch, isSame: Change.IsSame?
    ) {
        self.watch = watch
        super.init(selection, key: key, isSame: isSame)
    }

    /// Counts a subscriber that the watch has got; with `isAhead` one that knows more of the table than
    /// the others, or not the same.
    func added(_ member: Subscriber, isAhead: Bool) {
        count += 1
        guard isAhead else { return }
        let arrivals = arrivals ?? RowArrivals(first: member.order)
        arrivals.members.append(member)
        self.arrivals = arrivals
    }

    override func remove(_ member: Subscriber) -> Bool {
        watch.remove(member)
        count -= 1
        return isEmpty
    }

    override var everyone: [Subscriber] { watch.everyone }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    override func surrender() -> [Any?] {
        defer {
            waiting = []
            arrivals = nil
        }
        return super.surrender() + [waiting, arrivals]
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool) {
        guard let selection else { return }
        let step = Step(captured: capture(selection, root, copy, isDueNow), arrivals: arrivals)
        arrivals = nil
        if isDueNow { take(step) } else { waiting.append(step) }
    }

    override func take() {
        guard let step = waiting.popFirst() else { return }
        take(step)
    }

    private func take(_ step: consuming Step) {
        isTaken = true
        taken = step
    }

    override func advance(_ lock: borrowing Lock) -> Bool {
        guard let step = taken.take(), let selection else { return false }
        let table = selection.value(of: step.captured)
        let isNews = table.withPointer { watch.advance($0, lock, step.arrivals) }
        // At once: the next commit changes the table in place if nobody else has it.
        recycle(consume table)
        return isNews
    }

    override func forEachAddressee(
        _ lock: borrowing Lock, _ body: (Subscriber, Change) -> Void
    ) {
        watch.forEachAddressee(lock, body)
    }

    override func settle() { watch.settle() }
}

/// Subscribers of rows who know other values than those who came before them, until the next delivery
/// has told each of its own change.
@usableFromInline
final class RowArrivals: @unchecked Sendable {  // As the group they belong to.
    /// The position of the first of them among all listeners.
    @usableFromInline let first: UInt64
    @usableFromInline @exclusivity(unchecked) var members: [Subscriber] = []

    init(first: UInt64) {
        self.first = first
    }
}
