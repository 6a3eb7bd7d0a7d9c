// SPDX-License-Identifier: MIT

/// The rows of a table that were removed or got another id, by the ids that they had.
///
/// A row with an id that a removed row had is another one.
@usableFromInline
package struct EntityDepartures<ID: Hashable> {
    /// Whether all rows were removed.
    package fileprivate(set) var isEveryone = false
    /// The rows that were removed.
    package private(set) var removed: Set<ID> = []
    /// The new ids of those that have one.
    @usableFromInline package private(set) var renamed: [ID: ID] = [:]

    fileprivate init() {}

    /// Follows each row from id to id.
    @usableFromInline
    init(_ recorded: ArraySlice<RecordedChange<ID>>) {
        guard recorded.contains(where: { $0.kind == .removed || $0.kind == .leftID }) else {
            return
        }
        // The ids that rows with another one, or with one that another row had, had at first.
        var origins: [ID: ID] = [:]
        var seen: Set<ID> = []
        var leaving: ID?
        /// The first id of the row that gives up `id`; nil if it came later.
        func origin(of id: ID) -> ID? {
            seen.insert(id).inserted ? id : origins.removeValue(forKey: id)
        }
        for change in recorded {
            switch change.kind {
            case .inserted: seen.insert(change.id)
            case .removed: if let id = origin(of: change.id) { removed.insert(id) }
            case .leftID: leaving = origin(of: change.id)
            case .tookID:
                seen.insert(change.id)
                origins[change.id] = leaving
            case .updated, .moved: break
            }
        }
        for (new, old) in origins where new != old { renamed[old] = new }
    }

    /// Whether the row that had an id was removed.
    package func contains(_ id: ID) -> Bool { isEveryone || removed.contains(id) }

    /// Whether each row is there under its id.
    package var isEmpty: Bool { !isEveryone && removed.isEmpty && renamed.isEmpty }
}

extension ChangeLog {
    /// The new ids of rows that had other ones in the state of another log; empty if the logs do
    /// not know.
    package func renamed(since other: Self) -> [ID: ID] {
        guard other.mark != mark, let recorded = changes(from: other) else { return [:] }
        return EntityDepartures(recorded).renamed
    }
}

extension EntityTable {
    /// The rows that were taken out or renamed since a mark.
    ///
    /// If the log does not know, as the table was assigned as a whole or changed more often than
    /// the log remembers, no row is named: a row is then the same while its id is there.
    package func departures(since mark: EntityMark) -> EntityDepartures<ID> {
        guard let recorded = log.changes(since: mark) else {
            var departures = EntityDepartures<ID>()
            departures.isEveryone = log.beginsEmpty
            return departures
        }
        return EntityDepartures(recorded)
    }
}
