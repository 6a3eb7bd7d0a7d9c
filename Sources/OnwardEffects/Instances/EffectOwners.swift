// SPDX-License-Identifier: MIT

internal import EntityTables
internal import OnwardCore

/// The lives of instances that can go away while the store lives (rows and optional slices) and have
/// effects.
///
/// They are looked after under the engine's lock, within the commit that takes the instance away, so
/// that no late answer reaches another instance that came to the same address.
struct EffectOwners {
    /// The instances at one place.
    private struct Group {
        let place: Place
        /// The state of the table when it was looked at last.
        var mark: EntityMark?
        /// By row, or all under nil where rows are not tracked.
        var lives: [RowKey?: [ObjectIdentifier: EffectLife]] = [:]
    }

    private var groups: [[PlaceStep]: Group] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// Looks after the life of an instance that is there.
    mutating func add(_ life: EffectLife, in root: UnsafeRawPointer) {
        let (place, start) = (life.place, root + life.place.range.lowerBound)
        let (steps, key) = (place.steps, Self.key(of: life))
        if groups[steps] == nil {
            groups[steps] = Group(place: place, mark: place.table?.mark(start))
        }
        // In place: a copy of the group would make this cost what the group holds.
        groups[steps]?.lives[key, default: [:]][ObjectIdentifier(life)] = life
        life.marks = place.innerTables.map { $0.mark(of: life.address, from: start) }
    }

    /// No longer looks after a life.
    mutating func remove(_ life: EffectLife) {
        let (steps, key) = (life.place.steps, Self.key(of: life))
        groups[steps]?.lives[key]?[ObjectIdentifier(life)] = nil
        if groups[steps]?.lives[key]?.isEmpty == true { groups[steps]?.lives[key] = nil }
        if groups[steps]?.lives.isEmpty == true { groups[steps] = nil }
    }

    /// Ends the lives whose instance is gone, and takes them out.
    ///
    /// - Complexity: O(changed rows) for the rows of an `EntityTable`, else O(lives at the places that
    ///   may have changed).
    mutating func orphans(
        in root: UnsafeRawPointer, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [EffectLife] {
        var orphans: [EffectLife] = []
        for (steps, group) in groups where mayHaveChanged(group.place.range) {
            let start = root + group.place.range.lowerBound
            let hasDeparted = group.mark.flatMap { group.place.table?.departures($0, start) }
            for life in Self.lives(in: group, start) {
                let isOther = Self.key(of: life).flatMap { hasDeparted?($0) } ?? false
                if !isOther, group.place.contains(life.address, in: root), Self.stays(life, start) {
                    continue
                }
                life.end()
                orphans.append(life)
            }
            groups[steps]?.mark = group.place.table?.mark(start)
        }
        for orphan in orphans { remove(orphan) }
        return orphans
    }

    /// Those of a group whose instance may have gone.
    private static func lives(in group: Group, _ start: UnsafeRawPointer) -> [EffectLife] {
        guard let mark = group.mark, let rows = group.place.table?.changesSince(mark, start) else {
            return group.lives.values.flatMap(\.values)
        }
        return rows.flatMap { group.lives[$0].map { Array($0.values) } ?? [] }
    }

    /// Whether all rows on the way to an instance are the same as before, those of inner tables too.
    private static func stays(_ life: EffectLife, _ start: UnsafeRawPointer) -> Bool {
        for (index, table) in life.place.innerTables.enumerated() {
            if table.hasOther(life.address, since: life.marks[index], from: start) { return false }
            life.marks[index] = table.mark(of: life.address, from: start)
        }
        return true
    }

    private static func key(of life: EffectLife) -> RowKey? {
        life.place.table.flatMap { life.address.row(at: $0.depth) }
    }
}
