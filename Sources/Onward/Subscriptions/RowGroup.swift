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
    private let watch: AnyTableWatch
    @exclusivity(unchecked) private var waiting = Deque<Captured>()
    @exclusivity(unchecked) private var taken: Captured?
    @exclusivity(unchecked) private var changedRows: [WatchedRow] = []
    private var subscriberCount = 0

    init(
        _ selection: Selection, key: GroupKey?, _ watch: AnyTableWatch, isSame: Change.IsSame?
    ) {
        self.selection = selection
        self.watch = watch
        super.init(ranges: selection.ranges, key: key, isSame: isSame)
    }

    /// What the subscribing shell, which knows the types, keeps the rows in.
    var table: AnyTableWatch { watch }

    func add(_ member: Subscriber, to row: WatchedRow) {
        row.members.add(member)
        subscriberCount += 1
    }

    override func remove(_ member: Subscriber) -> Bool {
        guard let row = member.row else { return false }
        row.members.remove(member)
        subscriberCount -= 1
        if row.members.count == 0 { watch.forget(row) }
        return isEmpty
    }

    override var needsRoot: Bool { selection.needsRoot }
    override var isEmpty: Bool { subscriberCount == 0 }
    override var everyone: [Subscriber] {
        watch.rows.flatMap { $0.members.slots.compactMap(\.self) }
    }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {
        waiting.append(selection.capture(root, copy))
    }

    override func take() { taken = waiting.popFirst() }

    override func advance(to version: Version, _ lock: borrowing Lock) -> Bool {
        guard let captured = taken else { return false }
        taken = nil
        changedRows = watch.advance(selection.value(of: captured).pointer, version, lock)
        return !changedRows.isEmpty
    }

    override var changed: [Subscriber?] {
        guard changedRows.count != 1 else { return changedRows[0].members.slots }
        return changedRows.flatMap(\.members.slots).compactMap(\.self)
            .sorted { $0.order < $1.order }
    }

    override func settle() {
        for row in changedRows { row.settle() }
        changedRows = []
    }
}

/// One row and its subscribers, without its type.
@usableFromInline
class WatchedRow: Change, @unchecked Sendable {  // As `Change`; `members` under the lock.
    /// The version at which the row was first watched; commits up to it are not told.
    @usableFromInline final let since: Version
    @exclusivity(unchecked) final var members = MemberList()

    @usableFromInline
    init(since: Version, first: ValueCopy) {
        self.since = since
        super.init(first)
    }
}
