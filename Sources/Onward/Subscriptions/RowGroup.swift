// SPDX-License-Identifier: MIT

internal import DequeModule

/// The subscribers of single rows of one table.
///
/// Problem: with a subscriber per row, a commit must cost what it changed, not how many rows are
/// watched.
///
/// Strategy: between commits the group keeps only the table's mark, which holds no rows, so that the
/// next commit changes the table in place. A delivery asks the new table what changed since the
/// mark, and looks up who watches these ids (`TableWatch` does both; it knows the types).
final class RowGroup: SelectionGroup, @unchecked Sendable {
    private let selection: Selection
    /// What the subscribing shell, which knows the types, keeps the rows in.
    let watch: AnyTableWatch
    @exclusivity(unchecked) private var waiting = Deque<Captured>()
    @exclusivity(unchecked) private var taken: Captured?
    private var subscriberCount = 0

    init(
        _ selection: Selection, key: GroupKey?, _ watch: AnyTableWatch, isSame: Change.IsSame?
    ) {
        self.selection = selection
        self.watch = watch
        super.init(ranges: selection.ranges, key: key, isSame: isSame)
    }

    /// Counts a subscriber that the watch has got.
    func added() { subscriberCount += 1 }

    override func remove(_ member: Subscriber) -> Bool {
        watch.remove(member)
        subscriberCount -= 1
        return isEmpty
    }

    override var needsRoot: Bool { selection.needsRoot }
    override var isEmpty: Bool { subscriberCount == 0 }
    override var everyone: [Subscriber] { watch.everyone }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {
        waiting.append(selection.capture(root, copy))
    }

    override func take() { taken = waiting.popFirst() }

    override func advance(_ lock: borrowing Lock) -> Bool {
        guard let captured = taken else { return false }
        taken = nil
        return selection.value(of: captured).withPointer { watch.advance($0, lock) }
    }

    override func addAudiences(to audiences: inout [Audience]) { watch.addAudiences(&audiences) }

    override func settle() { watch.settle() }
}
