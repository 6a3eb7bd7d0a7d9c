// SPDX-License-Identifier: MIT

/// What turned an older ``EntityTable`` into a newer one, as ids.
///
/// Rows that are not listed as inserted, removed or moved stand in the same order in both tables.
/// An id is either inserted, or removed, or it was there before and after and may then be both
/// updated and moved. A row that was removed and added again counts as updated and moved; one
/// that was added and removed again does not count at all.
///
/// A change set may say more than necessary, never less: a row that was changed and changed back
/// may still be listed as updated, one that was moved and moved back as moved.
///
/// Replay a change set with ``EntityTable/applying(_:from:)``.
public struct EntityChanges<ID: Hashable> {
    /// The ids that only the newer table has, in its order.
    public var inserted: [ID] = []
    /// The ids that only the older table has, in no particular order.
    public var removed: [ID] = []
    /// The ids of both tables whose rows may differ, in the newer table's order.
    public var updated: [ID] = []
    /// The ids of both tables whose place among the other rows may differ, in the newer table's
    /// order.
    public var moved: [ID] = []

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
