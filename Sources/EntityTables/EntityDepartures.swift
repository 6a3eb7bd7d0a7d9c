// SPDX-License-Identifier: MIT

/// The rows that were taken out of a table, whether or not rows of the same ids came after them.
package struct EntityDepartures<ID: Hashable> {
    /// Whether all rows went.
    package fileprivate(set) var isEveryone = false
    fileprivate var ids: Set<ID> = []

    fileprivate init() {}

    /// Whether no row went.
    package var isEmpty: Bool { !isEveryone && ids.isEmpty }

    /// Whether the row that had an id went: a row with that id now is another one.
    package func contains(_ id: ID) -> Bool { isEveryone || ids.contains(id) }
}

extension EntityTable {
    /// The rows that were taken out since a mark.
    ///
    /// Where the log does not know, because the table was assigned as a whole, or changed more often than
    /// the log remembers, no row is named: then a row is the same as long as its id is there.
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
