// SPDX-License-Identifier: MIT

/// The changes that turned an older ``EntityTable`` into a newer one, as ids.
///
/// Rows not listed as inserted, removed or moved are in the same order in both tables. An id is
/// either inserted, or removed, or in both tables, where it can be updated, moved or both. A row
/// that was removed and added again counts as updated and moved; a row that was added and removed
/// again is not listed.
///
/// A change set may list more than necessary, never less: a row that was changed and changed back
/// may still be listed as updated, and one that was moved and moved back as moved.
///
/// Replay a change set with ``EntityTable/applying(_:from:)``.
public struct EntityChanges<ID: Hashable> {
    /// The ids that are only in the newer table, in its order.
    public var inserted: [ID] = []
    /// The ids that are only in the older table, in no particular order.
    public var removed: [ID] = []
    /// The ids in both tables whose rows may differ, in the newer table's order.
    public var updated: [ID] = []
    /// The ids in both tables whose place among the other rows may differ, in the newer table's
    /// order.
    public var moved: [ID] = []
    /// For the ids whose rows have another one now, the new ids: see ``EntityTable/rename(id:to:)``.
    ///
    /// A row with another id is also listed under both ids above, as if the row with the old id had
    /// gone and one with the new id had come; so who ignores renames misses nothing. It is empty if
    /// the tables had to be compared.
    public var renamed: [ID: ID] = [:]

    /// Makes an empty change set.
    @inlinable
    package init() {}

    /// Whether nothing changed.
    @inlinable
    public var isEmpty: Bool {
        inserted.isEmpty && removed.isEmpty && updated.isEmpty && moved.isEmpty
    }
}

extension EntityChanges: Sendable where ID: Sendable {}
extension EntityChanges: Equatable {}
