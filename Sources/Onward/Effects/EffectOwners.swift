// SPDX-License-Identifier: MIT

internal import EntityTables

/// The effects of instances that can go away while the store lives: rows and optional slices.
///
/// They are looked after under the engine's lock, within the commit that takes the instance away, so
/// that no late answer reaches another instance that came to the same address.
struct EffectOwners {
    /// The effects of the instances at one place.
    private struct Group {
        let place: Place
        /// The state of the table when it was looked at last.
        var mark: EntityMark?
        /// By row, or all under nil where rows are not tracked.
        var scopes: [RowKey?: [ObjectIdentifier: EffectScope]] = [:]
    }

    private var groups: [[PlaceStep]: Group] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// Looks after a scope whose instance is there.
    mutating func add(_ scope: EffectScope, at place: Place, in root: UnsafeRawPointer) {
        let (steps, key) = (place.steps, Self.key(of: scope, at: place))
        if groups[steps] == nil {
            let mark = place.table?.mark(root + place.range.lowerBound)
            groups[steps] = Group(place: place, mark: mark)
        }
        // In place: a copy of the group would make this cost what the group holds.
        groups[steps]?.scopes[key, default: [:]][ObjectIdentifier(scope)] = scope
    }

    /// Returns the scope, to be let go of outside the lock.
    mutating func remove(_ scope: EffectScope) -> EffectScope? {
        guard let place = scope.place else { return nil }
        let key = Self.key(of: scope, at: place)
        let removed = groups[place.steps]?.scopes[key]?.removeValue(forKey: ObjectIdentifier(scope))
        if groups[place.steps]?.scopes[key]?.isEmpty == true {
            groups[place.steps]?.scopes[key] = nil
        }
        if groups[place.steps]?.scopes.isEmpty == true { groups[place.steps] = nil }
        return removed
    }

    /// Ends the right to dispatch of those whose instance is gone, and takes them out.
    ///
    /// - Complexity: O(changed rows) for the rows of an `EntityTable`, else O(scopes at the places
    ///   that may have changed).
    mutating func orphans(
        in root: UnsafeRawPointer, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [EffectScope] {
        var orphans: [EffectScope] = []
        for (steps, group) in groups where mayHaveChanged(group.place.range) {
            for scope in Self.concerned(group, root) {
                if group.place.contains(scope.address, in: root) { continue }
                scope.lease.end()
                orphans.append(scope)
            }
            groups[steps]?.mark = group.place.table?.mark(root + group.place.range.lowerBound)
        }
        for orphan in orphans { _ = remove(orphan) }
        return orphans
    }

    /// The scopes of a group whose instance may have gone.
    private static func concerned(_ group: Group, _ root: UnsafeRawPointer) -> [EffectScope] {
        let start = root + group.place.range.lowerBound
        guard let mark = group.mark, let rows = group.place.table?.changesSince(start, mark) else {
            return group.scopes.values.flatMap(\.values)
        }
        return rows.flatMap { group.scopes[$0].map { Array($0.values) } ?? [] }
    }

    private static func key(of scope: EffectScope, at place: Place) -> RowKey? {
        place.table.flatMap { scope.address.row(at: $0.depth) }
    }
}
