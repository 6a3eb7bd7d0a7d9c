// SPDX-License-Identifier: MIT

extension RowTree {
    /// A row that is not in a leaf shared by both trees.
    @usableFromInline
    struct LooseRow {
        @usableFromInline var row: Element
        /// How many rows of shared leaves stand before it.
        ///
        /// Both trees have the same shared leaves in the same order, so this number means the
        /// same gap between shared rows in both.
        @usableFromInline var gap: Int

        @inlinable
        init(row: Element, gap: Int) {
            self.row = row
            self.gap = gap
        }
    }

    /// The rows of both trees that are not in shared leaves, each tree's in its order.
    ///
    /// - Complexity: O(*d* log *n*) for *d* rows in leaves that are not shared.
    @inlinable
    func looseRows(comparedWith other: Self) -> (mine: [LooseRow], others: [LooseRow]) {
        var leaves: [Int] = []
        nodes.forEachNumberThatMayDiffer(from: other.nodes) { number in
            let mine = number < nodes.count ? nodes[number].rows : []
            let others = number < other.nodes.count ? other.nodes[number].rows : []
            if !mine.sharesStorage(with: others) { leaves.append(number) }
        }
        return (looseRows(in: leaves), other.looseRows(in: leaves))
    }

    @inlinable
    func looseRows(in leaves: [Int]) -> [LooseRow] {
        let starts =
            leaves
            .filter { $0 < nodes.count && !nodes[$0].rows.isEmpty }
            .map { (leaf: $0, start: position(of: Place(leaf: $0, slot: 0))) }
            .sorted { $0.start < $1.start }
        var loose: [LooseRow] = []
        for (leaf, start) in starts {
            let gap = start - loose.count
            for row in nodes[leaf].rows { loose.append(LooseRow(row: row, gap: gap)) }
        }
        return loose
    }

    /// What turns `older` into this tree, with as few moves as possible.
    ///
    /// Where rows cannot be compared, `areSame` says no, and rows that merely share a leaf with a
    /// change are reported as updated.
    @inlinable
    func changes(
        since older: Self, areSame: (Element, Element) -> Bool
    ) -> EntityChanges<Element.ID> {
        let (mine, others) = looseRows(comparedWith: older)
        var before = Dictionary(
            uniqueKeysWithValues: others.enumerated().map { ($1.row.id, $0) })
        var changes = EntityChanges<Element.ID>()
        var inSameGap: [(id: Element.ID, before: Int)] = []
        var moved: Set<Element.ID> = []
        for loose in mine {
            let id = loose.row.id
            guard let old = before.removeValue(forKey: id) else {
                changes.inserted.append(id)
                continue
            }
            if !areSame(others[old].row, loose.row) { changes.updated.append(id) }
            if others[old].gap == loose.gap {
                inSameGap.append((id, old))
            } else {
                moved.insert(id)
            }
        }
        let resting = longestRise(in: inSameGap.map(\.before))
        var next = 0
        for (slot, candidate) in inSameGap.enumerated() {
            if next < resting.count && resting[next] == slot {
                next += 1
            } else {
                moved.insert(candidate.id)
            }
        }
        if !moved.isEmpty {
            changes.moved = mine.lazy.map(\.row.id).filter(moved.contains)
        }
        if !before.isEmpty {
            changes.removed = others.lazy.map(\.row.id).filter { before[$0] != nil }
        }
        return changes
    }
}

/// The indices of a longest strictly rising subsequence.
///
/// Patience sorting: `ends[k]` is the index of the smallest number that ends a rise of length
/// `k + 1`, and each number remembers the end it was put behind.
///
/// - Complexity: O(*n* log *n*).
@usableFromInline
func longestRise(in numbers: [Int]) -> [Int] {
    var ends: [Int] = []
    var previous: [Int?] = []
    previous.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        previous.append(low > 0 ? ends[low - 1] : nil)
        if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var rise: [Int] = []
    var current = ends.last
    while let index = current {
        rise.append(index)
        current = previous[index]
    }
    return rise.reversed()
}
