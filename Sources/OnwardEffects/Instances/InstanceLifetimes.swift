// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The lifetimes of instances that can go away while the store lives (rows and optional slices) and
/// have effects.
///
/// They are tracked under the store's lock, within the commit that removes the instance, so that no
/// late answer reaches another instance at the same address.
struct InstanceLifetimes {
    /// What a commit did to lifetimes: those whose instance is gone, and what else there is to do.
    struct Orphans: Sendable {
        fileprivate(set) var lifetimes: [InstanceLifetime] = []
        /// Those whose instance is there, at another address.
        fileprivate(set) var moved: [InstanceLifetime] = []
        /// What is to be released outside the lock.
        fileprivate(set) var rest: [any Sendable] = []

        var isEmpty: Bool { lifetimes.isEmpty && moved.isEmpty && rest.isEmpty }
    }

    /// The instances at one place.
    private struct Place {
        let tree: InstanceTree
        let range: Range<Int>
    }

    /// What tells a place from others, also from one that other features had by its name.
    private struct PlaceID: Hashable {
        let path: ObjectIdentifier?
        let steps: [PathStep]

        init(_ lens: SliceLens) {
            path = lens.path.identity
            steps = lens.steps
        }

        func hash(into hasher: inout Hasher) { hasher.combine(path) }
    }

    private var places: [PlaceID: Place] = [:]

    var isEmpty: Bool { places.isEmpty }

    /// How many nodes and rows commits have looked at.
    var visits: Int { places.values.reduce(0) { $0 + $1.tree.visits } }

    /// The lifetime of an instance, held for the caller; nil when there is no such instance.
    ///
    /// It is the same one for all that belongs to the instance.
    mutating func lifetime(
        of lens: SliceLens, at rows: [RowKey], in root: UnsafeRawPointer
    ) -> InstanceLifetime? {
        let id = PlaceID(lens)
        let known = places[id]
        let place =
            known ?? Place(tree: InstanceTree(of: lens.path, isComplete: false), range: lens.range)
        guard let leaf = place.tree.leaf(at: rows, from: root + lens.range.lowerBound)
        else { return nil }
        if let lifetime = leaf.content as? InstanceLifetime {
            lifetime.hold()
            return lifetime
        }
        if known == nil { places[id] = place }
        let new = InstanceLifetime(of: lens, lens.address(of: rows), at: leaf)
        leaf.content = new
        return new
    }

    /// Stops tracking a lifetime; returns what is to be released outside the lock.
    mutating func remove(_ lifetime: InstanceLifetime) -> [any Sendable] {
        let id = PlaceID(lifetime.lens)
        guard lifetime.leaf.content === lifetime, let place = places[id] else { return [] }
        lifetime.leaf.content = nil
        let rest = place.tree.remove(lifetime.leaf)
        if place.tree.isEmpty { places[id] = nil }
        return rest + [place.tree]
    }

    /// Ends and removes the lifetimes whose instance is gone.
    ///
    /// - Complexity: as that of an update of an `InstanceTree`, for each place that may have changed.
    mutating func orphans(
        in root: UnsafeRawPointer, _ locked: borrowing Locked,
        where mayHaveChanged: (Range<Int>) -> Bool
    ) -> Orphans {
        var orphans = Orphans()
        var (ended, moved): ([InstanceLeaf], [InstanceLeaf]) = ([], [])
        var isAnyEmpty = false
        for place in places.values where mayHaveChanged(place.range) {
            let rest = place.tree.update(
                at: root + place.range.lowerBound, touched: { _, _ in },
                renamed: { moved.append($0) },
                ended: { ended.append($0) })
            orphans.rest += rest
            isAnyEmpty = isAnyEmpty || place.tree.isEmpty
        }
        for case let lifetime as InstanceLifetime in moved.map(\.content) {
            orphans.rest.append(lifetime.move(locked))
            orphans.moved.append(lifetime)
        }
        for leaf in ended {
            guard let lifetime = leaf.content as? InstanceLifetime else { continue }
            leaf.content = nil
            lifetime.end(locked)
            orphans.lifetimes.append(lifetime)
        }
        if isAnyEmpty { places = places.filter { !$0.value.tree.isEmpty } }
        return orphans
    }
}
