// SPDX-License-Identifier: MIT

/// The rows that were removed from a table, whether or not rows with the same ids came after them.
package struct EntityDepartures<ID: Hashable> {
    /// Whether all rows were removed.
    package fileprivate(set) var isEveryone = false
    fileprivate var ids: Set<ID> = []

    fileprivate init() {}

    /// Whether no row was removed.
    package var isEmpty: Bool { !isEveryone && ids.isEmpty }

    /// Whether the row that had an id was removed: a row with that id now is another one.
    package func contains(_ id: ID) -> Bool { isEveryone || ids.contains(id) }
}

extension EntityTable {
    /// The rows that were taken out since a mark.
    ///
    /// If the log does not know, as the table was assigned as a whole or changed more often than
    /// the log remembers, no row is named: a row is then the same while its id is there.
    package func departures(since mark: EntityMark) -> EntityDepartures<ID> {
        var departures = EntityDepartures<ID>()
        guard let recorded = log.changes(since: mark) else {
            departures.isEveryone = log.beginsEmpty
            return departures
        }
        for change in recorded where change.kind == .removed { departures.ids.insert(change.id) }
        return departures
    }
}
