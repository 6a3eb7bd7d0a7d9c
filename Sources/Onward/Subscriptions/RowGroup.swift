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
    /// Nil once the last member left.
    private var selection: Selection?
    /// What the subscribing shell, which knows the types, keeps the rows in.
    let watch: AnyTableWatch
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// Those that came and knew more of the table than the others.
    @exclusivity(unchecked) private var arrivals: RowArrivals?
    @exclusivity(unchecked) private var taken: Step?
    private var subscriberCount = 0

    private struct Step {
        let captured: Captured
        let arrivals: RowArrivals?
    }

    init(
        _ selection: Selection, key: GroupKey?, _ watch: AnyTableWatch, isSame: Change.IsSame?
    ) {
        self.selection = selection
        self.watch = watch
        super.init(ranges: selection.ranges, key: key, isSame: isSame)
    }

    /// Counts a subscriber that the watch has got; with `isAhead` one that knows more of the table than
    /// the others, or not the same.
    func added(_ member: Subscriber, isAhead: Bool) {
        subscriberCount += 1
        guard isAhead else { return }
        let arrivals = arrivals ?? RowArrivals(first: member.order)
        arrivals.members.append(member)
        self.arrivals = arrivals
    }

    override func remove(_ member: Subscriber) -> Bool {
        watch.remove(member)
        subscriberCount -= 1
        return isEmpty
    }

    override var needsRoot: Bool { selection?.needsRoot ?? false }
    override var isEmpty: Bool { subscriberCount == 0 }
    override var everyone: [Subscriber] { watch.everyone }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    override func surrender() -> [Any?] {
        defer {
            selection = nil
            waiting = []
            arrivals = nil
        }
        return super.surrender() + [selection, waiting, arrivals]
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {
        guard let selection else { return }
        waiting.append(Step(captured: selection.capture(root, copy), arrivals: arrivals))
        arrivals = nil
    }

    override func take() { taken = waiting.popFirst() }

    override func advance(_ lock: borrowing Lock) -> Bool {
        guard let step = taken, let selection else { return false }
        taken = nil
        return selection.value(of: step.captured).withPointer {
            watch.advance($0, lock, step.arrivals)
        }
    }

    override func addAudiences(to audiences: inout [Audience]) { watch.addAudiences(&audiences) }

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
