// SPDX-License-Identifier: MIT

extension EntityTable {
    /// Follows a source table, for each of whose rows this one has one row or none, in its order.
    ///
    /// The part that filters and joins have in common.
    ///
    /// - Parameters:
    ///   - changes: What changed in the source; ids of rows to be made anew for another reason may
    ///     be among the updated ones.
    ///   - source: The table in its present state.
    ///   - newRow: The row for a row of the source, with the same id; nil if there is none.
    @inlinable
    mutating func follow<Source: Identifiable>(
        _ changes: EntityChanges<ID>, of source: EntityTable<Source>,
        newRow: (Source) -> Element?
    ) where Source.ID == ID {
        var changes = changes
        takeNames(from: &changes) { source[id: $0].flatMap(newRow) }
        for id in changes.removed { remove(id: id) }
        // Rows that were not moved are in the same order in both tables, so the arriving ones can
        // be put in once the others are right.
        var arrivals = Arrivals<Source, Element>(to: source)
        for id in changes.moved {
            let wasThere = tree.remove(id) != nil
            guard let row = source[id: id] else { continue }
            if let new = newRow(row) {
                arrivals.add(new, wasThere: wasThere)
            } else if wasThere {
                log.record(.removed, id)
            }
        }
        let moved = Set(changes.moved)
        for id in changes.updated where !moved.contains(id) {
            guard let row = source[id: id] else { continue }
            guard let new = newRow(row) else {
                remove(id: id)
                continue
            }
            if !replace(new) { arrivals.add(new, wasThere: false) }
        }
        for id in changes.inserted {
            guard let row = source[id: id], let new = newRow(row) else { continue }
            arrivals.add(new, wasThere: false)
        }
        arrivals.settle(in: &self)
    }
    /// Renames the rows whose source has another id, and leaves of the changes what is still to be
    /// done.
    ///
    /// Where rows have exchanged their ids, they count as others.
    @inlinable
    mutating func takeNames(
        from changes: inout EntityChanges<ID>, newRow: (ID) -> Element?
    ) {
        for (old, new) in changes.renamed where changes.renamed[new] == nil {
            guard tree.contains(old), let row = newRow(new) else { continue }
            if tree.contains(new) { remove(id: new) }
            tree.rename(old, to: row)
            log.recordRename(from: old, to: new)
            // A row that has the old id now is a new one.
            if changes.removed.drop(old) == nil {
                _ = (changes.moved.drop(old), changes.updated.drop(old))
                changes.inserted.append(old)
            }
            if changes.inserted.drop(new) != nil {
                changes.moved.append(new)
                changes.updated.append(new)
            }
        }
    }
}

extension Array where Element: Hashable {
    /// Takes an element out; nil if it is not there.
    @inlinable
    mutating func drop(_ element: Element) -> Element? {
        firstIndex(of: element).map { remove(at: $0) }
    }
}
