// SPDX-License-Identifier: MIT

/// The subscribers of single rows of one table.
///
/// Problem: with a subscriber per row, a commit must cost what it changed, not how many rows are
/// watched.
///
/// Strategy: between commits the group keeps only the table's mark, which holds no rows, so that the
/// next commit changes the table in place. A delivery asks the new table what changed since the
/// mark, and looks up who watches these ids. Only where the table's log does not reach back (a new
/// table was assigned, time was travelled) are all watched rows compared.
///
/// The dictionary belongs to the engine's lock, as the members of every group do; so the ids of
/// rows are hashed under it.
final class RowGroup<Element: Identifiable & Sendable>: SelectionGroup, @unchecked Sendable
where Element.ID: Sendable {
    /// One row and its subscribers.
    final class WatchedRow: Change<Element?>, @unchecked Sendable {
        let id: Element.ID
        /// The version at which the row was first watched; commits up to it are not told.
        let since: Version
        var members = MemberList()

        init(_ id: Element.ID, since: Version, last: Element?) {
            self.id = id
            self.since = since
            super.init(.some(last))
        }
    }

    private let waiting: Waiting<EntityTable<Element>>
    private let isSame: (@Sendable (Element?, Element?) -> Bool)?
    private var rows: [Element.ID: WatchedRow] = [:]
    private var taken: Captured<EntityTable<Element>>?
    /// What the subscribers know of the table.
    private var mark: EntityMark?
    private var changedRows: [WatchedRow] = []
    override var count: Int { subscriberCount }
    private var subscriberCount = 0

    init(
        _ projection: Projection<EntityTable<Element>>, key: GroupKey?, mark: EntityMark?,
        isSame: (@Sendable (Element?, Element?) -> Bool)?
    ) {
        waiting = Waiting(projection)
        self.isSame = isSame
        self.mark = mark
        super.init(range: projection.range, key: key)
    }

    /// The row with an id, watched from `version` on if it was not before.
    func row(_ id: Element.ID, last: @autoclosure () -> Element?, since version: Version)
        -> WatchedRow
    {
        if let row = rows[id] { return row }
        let row = WatchedRow(id, since: version, last: last())
        rows[id] = row
        return row
    }

    func add(_ member: Subscriber, to row: WatchedRow) {
        row.members.add(member)
        subscriberCount += 1
    }

    override func remove(_ member: Subscriber) {
        guard let row = (member as? ValueSubscriber<Element?>)?.values as? WatchedRow else {
            return
        }
        row.members.remove(member)
        subscriberCount -= 1
        if row.members.count == 0 { rows[row.id] = nil }
    }

    override var needsCopy: Bool { waiting.needsCopy }
    override var everyone: [Subscriber] {
        rows.values.flatMap { $0.members.slots.compactMap(\.self) }
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: StateCopy?) {
        waiting.append(root, copy)
    }

    override func take() {
        taken = waiting.popFirst()
    }

    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    override func advance(to version: Version, _ lock: borrowing Lock) -> Bool {
        guard let captured = taken else { return false }
        taken = nil
        let table = waiting.value(of: captured)
        let changes = mark.flatMap { table.changes(since: $0) }
        mark = table.mark
        changedRows = watched(changes, lock).filter { row in
            guard row.since < version else { return false }
            return row.advance(to: table[id: row.id], isSame)
        }
        return !changedRows.isEmpty
    }

    /// The watched rows among those that changed; all of them when that is not known.
    private func watched(
        _ changes: EntityChanges<Element.ID>?, _ lock: borrowing Lock
    ) -> [WatchedRow] {
        lock.withLock {
            guard let changes else { return Array(rows.values) }
            return [changes.updated, changes.inserted, changes.removed].flatMap { ids in
                ids.compactMap { rows[$0] }
            }
        }
    }

    override var changed: [Subscriber?] {
        guard changedRows.count > 1 else { return changedRows.first?.members.slots ?? [] }
        return changedRows.flatMap(\.members.slots).compactMap(\.self)
            .sorted { $0.order < $1.order }
    }

    override func settle() {
        for row in changedRows { row.settle() }
        changedRows = []
    }
}
