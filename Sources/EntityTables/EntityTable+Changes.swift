// SPDX-License-Identifier: MIT

extension EntityTable {
    /// The name of the table's present state, used later to ask what has changed since.
    ///
    /// Keep a mark rather than the table: while an old table is held, changes copy what it shares.
    @inlinable
    package var mark: EntityMark { log.mark }

    /// The changes since the table was in the state of a mark.
    ///
    /// - Returns: The changes; nil if the mark is too old (the last 512 changes are remembered for
    ///   sure), or if the table did not come from that state: it was made anew, cleared, or
    ///   is a copy that changed separately.
    /// - Complexity: O(*c* log *n*) for *c* changes since then.
    @inlinable
    package func loggedChanges(since mark: EntityMark) -> EntityChanges<ID>? {
        log.changes(since: mark).map(merged)
    }

    /// The changes that turned the state of a log into this one; nil if the logs do not know.
    ///
    /// Unlike a mark, a log leads from newer states to older ones too, and from one copy to
    /// another.
    ///
    /// - Complexity: O(*c* log *n*) for *c* changes on the way.
    @inlinable
    package func changes(since other: ChangeLog<ID>) -> EntityChanges<ID>? {
        log.changes(from: other).map(merged)
    }

    /// Recorded changes that led to this state, combined into one for each row.
    @inlinable
    func merged(_ recorded: ArraySlice<RecordedChange<ID>>) -> EntityChanges<ID> {
        guard let first = recorded.first else { return EntityChanges() }
        // What most commits come down to.
        if recorded.allSatisfy({ $0.id == first.id }) {
            var changes = EntityChanges<ID>()
            MergedChanges<ID>.Fate(of: recorded)?.list(first.id, in: &changes)
            return changes
        }
        var merged = MergedChanges<ID>()
        for change in recorded { merged.add(change) }
        var changes = merged.changes
        changes.inserted = inOrder(changes.inserted)
        changes.updated = inOrder(changes.updated)
        changes.moved = inOrder(changes.moved)
        changes.renamed = EntityDepartures(recorded).renamed
        return changes
    }

    /// Calls `body` once with the id of each row changed since a mark, even if it has changed back;
    /// does nothing and returns false if the log does not know.
    @inlinable
    package func forEachTouched(since mark: EntityMark, _ body: (ID) -> Void) -> Bool {
        log.forEachTouched(since: mark, body)
    }

    /// The same for the rows changed on the way from the state of a log.
    @inlinable
    package func forEachTouched(since other: ChangeLog<ID>, _ body: (ID) -> Void) -> Bool {
        log.forEachTouched(since: other, body)
    }

    /// The changes that turned an older table into this one.
    ///
    /// If the change log does not know, the trees are compared; the tables need not be related.
    /// Rows that merely share a node with a changed row are then listed as updated.
    ///
    /// - Complexity: O(*c* log *n*) for *c* changes, whether from the log or from the trees.
    @inlinable
    public func changes(since older: Self) -> EntityChanges<ID> {
        loggedChanges(since: older.mark) ?? tree.changes(since: older.tree) { _, _ in false }
    }

    /// Applies changes to this older table to make the newer one.
    ///
    /// The changes are replayed the way a list view does it: removed and moved rows are taken out,
    /// updated rows replaced, then inserted and moved rows put in, from the first position to the
    /// last.
    ///
    /// - Parameters:
    ///   - changes: What `newer.changes(since: self)` returned.
    ///   - newer: The table that returned it.
    /// - Returns: A table with the rows of `newer` that remembers how it came from this one.
    /// - Precondition: The changes lead from this table to `newer`.
    /// - Complexity: O(*c* log *n*) for *c* changes.
    @inlinable
    public func applying(_ changes: EntityChanges<ID>, from newer: Self) -> Self {
        var (result, changes) = (self, changes)
        result.sorting = newer.sorting
        result.takeNames(from: &changes) { newer[id: $0] }
        for id in changes.removed { result.remove(id: id) }
        for id in changes.moved { _ = result.tree.remove(id) }
        for id in changes.updated {
            guard let row = newer[id: id] else { continue }
            if result.tree.update(id, { $0 = row }) != nil { result.log.record(.updated, id) }
        }
        let inserted = Set(changes.inserted)
        for id in newer.inOrder(changes.inserted + changes.moved) {
            guard let row = newer[id: id], let position = newer.index(id: id) else { continue }
            result.check(position, isReachedBy: id)
            if inserted.contains(id) {
                result.insertNew(row, at: position)
            } else {
                result.reinsert(row, at: position)
            }
        }
        return result
    }

    @inlinable
    func inOrder(_ ids: [ID]) -> [ID] {
        guard ids.count > 1 else { return ids }
        return ids.map { (id: $0, position: index(id: $0) ?? 0) }
            .sorted { $0.position < $1.position }
            .map(\.id)
    }
}

extension EntityTable where Element: Equatable {
    /// The changes that turned an older table into this one, without rows that are equal.
    ///
    /// Like the overload for rows that are not `Equatable`, but if the trees have to be compared,
    /// only rows that differ are listed as updated.
    ///
    /// - Complexity: O(*c* log *n*) for *c* changes, whether from the log or from the trees.
    @inlinable
    public func changes(since older: Self) -> EntityChanges<ID> {
        loggedChanges(since: older.mark) ?? tree.changes(since: older.tree, areSame: isUnchanged)
    }
}
