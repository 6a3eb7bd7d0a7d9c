// SPDX-License-Identifier: MIT

internal import EntityTables
internal import OnwardCore

/// The lifetimes of instances that can go away while the store lives (rows and optional slices) and
/// have effects.
///
/// They are tracked under the store's lock, within the commit that removes the instance, so that no
/// late answer reaches another instance at the same address.
struct InstanceLifetimes {
    /// The instances at one place.
    private struct Group {
        let lens: SliceLens
        /// The last observed state of the table.
        var mark: EntityMark?
        /// By row, or all under nil if rows are not tracked.
        var lifetimes: [RowKey?: [Address: InstanceLifetime]] = [:]
    }

    private var groups: [[PathStep]: Group] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// The lifetime of an existing instance, held for the caller; it is the same one for all that
    /// belongs to the instance.
    mutating func lifetime(
        of lens: SliceLens, _ address: Address, in root: UnsafeRawPointer
    ) -> InstanceLifetime {
        let (steps, start) = (lens.steps, root + lens.range.lowerBound)
        let key = Self.key(of: address, lens)
        if let known = groups[steps]?.lifetimes[key]?[address] {
            known.hold()
            return known
        }
        let new = InstanceLifetime(of: lens, address)
        if groups[steps] == nil {
            groups[steps] = Group(lens: lens, mark: lens.table?.mark(start))
        }
        // In place: a copy of the group would make this cost what the group holds.
        groups[steps]?.lifetimes[key, default: [:]][address] = new
        new.marks = lens.innerTables.map { $0.mark(of: address, from: start) }
        new.children = lens.children.map { $0.id(of: address, from: start) }
        return new
    }

    /// Stops tracking a lifetime.
    mutating func remove(_ lifetime: InstanceLifetime) {
        let (steps, address) = (lifetime.lens.steps, lifetime.address)
        let key = Self.key(of: address, lifetime.lens)
        guard groups[steps]?.lifetimes[key]?[address] === lifetime else { return }
        groups[steps]?.lifetimes[key]?[address] = nil
        if groups[steps]?.lifetimes[key]?.isEmpty == true { groups[steps]?.lifetimes[key] = nil }
        if groups[steps]?.lifetimes.isEmpty == true { groups[steps] = nil }
    }

    /// Ends and removes the lifetimes whose instance is gone.
    ///
    /// - Complexity: O(changed rows) for the rows of an `EntityTable`, else O(lifetimes at the
    ///   places that may have changed).
    mutating func orphans(
        in root: UnsafeRawPointer, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [InstanceLifetime] {
        var orphans: [InstanceLifetime] = []
        for (steps, group) in groups where mayHaveChanged(group.lens.range) {
            let start = root + group.lens.range.lowerBound
            let hasDeparted = group.mark.flatMap { group.lens.table?.departures($0, start) }
            for lifetime in Self.lifetimes(in: group, start) {
                let isOther =
                    Self.key(of: lifetime.address, lifetime.lens).flatMap { hasDeparted?($0) }
                    ?? false
                if !isOther, group.lens.contains(lifetime.address, in: root),
                    Self.stays(lifetime, start)
                {
                    continue
                }
                lifetime.end()
                orphans.append(lifetime)
            }
            groups[steps]?.mark = group.lens.table?.mark(start)
        }
        for orphan in orphans { remove(orphan) }
        return orphans
    }

    /// Those of a group whose instance may have gone.
    private static func lifetimes(in group: Group, _ start: UnsafeRawPointer) -> [InstanceLifetime]
    {
        guard let mark = group.mark, let rows = group.lens.table?.changesSince(mark, start) else {
            return group.lifetimes.values.flatMap(\.values)
        }
        return rows.flatMap { group.lifetimes[$0].map { Array($0.values) } ?? [] }
    }

    /// Whether all rows and children on the way to an instance are the same as before, rows of inner
    /// tables too.
    private static func stays(_ lifetime: InstanceLifetime, _ start: UnsafeRawPointer) -> Bool {
        for (child, id) in zip(lifetime.lens.children, lifetime.children)
        where child.id(of: lifetime.address, from: start) != id { return false }
        for (index, table) in lifetime.lens.innerTables.enumerated() {
            if table.hasOther(lifetime.address, since: lifetime.marks[index], from: start) {
                return false
            }
            lifetime.marks[index] = table.mark(of: lifetime.address, from: start)
        }
        return true
    }

    private static func key(of address: Address, _ lens: SliceLens) -> RowKey? {
        lens.table.flatMap { address.row(at: $0.depth) }
    }
}
