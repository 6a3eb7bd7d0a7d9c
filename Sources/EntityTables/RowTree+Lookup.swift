// SPDX-License-Identifier: MIT

extension RowTree {
    /// Where a row is, until the rows around it change.
    @usableFromInline
    struct Place {
        @usableFromInline var leaf: Int
        @usableFromInline var slot: Int

        @inlinable
        init(leaf: Int, slot: Int) {
            self.leaf = leaf
            self.slot = slot
        }
    }

    @inlinable
    func contains(_ id: Element.ID) -> Bool {
        place(of: id) != nil
    }

    @inlinable
    func place(of id: Element.ID) -> Place? {
        let hash = RowIndex.hash(of: id)
        var tried = 0
        while let clue = index.nextClue(of: hash, from: &tried) {
            let leaf = Int(clue.leaf)
            if let slot = nodes.read(leaf, { $0.slot(of: id, probably: clue.slot) }) {
                return Place(leaf: leaf, slot: slot)
            }
            checkIDs(in: leaf, against: id)
            index.skipClues(of: hash, to: clue.leaf, from: &tried)
        }
        return nil
    }

    /// Stops the program where the index leads to a leaf for an id, but no row there has even its
    /// hash: the row's id changed behind our back.
    @usableFromInline
    @inline(never)
    func checkIDs(in leaf: Int, against id: Element.ID) {
        let hash = RowIndex.hash(of: id)
        if !nodes[leaf].rows.contains(where: { RowIndex.hash(of: $0.id) == hash }) {
            Self.reportUnstableID(id)
        }
    }

    @usableFromInline
    @inline(never)
    static func reportUnstableID(_ id: Element.ID) -> Never {
        fatalError(EntityTableMistake.unstableID(id, of: Element.self))
    }

    @inlinable
    func row(of id: Element.ID) -> Element? {
        place(of: id).map { nodes[$0.leaf].rows[$0.slot] }
    }

    /// Changes a row in place; nil if there is none.
    @inlinable
    mutating func update<R>(_ id: Element.ID, _ body: (inout Element) -> R) -> R? {
        let hash = RowIndex.hash(of: id)
        var tried = 0
        while let clue = index.nextClue(of: hash, from: &tried) {
            let outcome: R? = nodes.modify(Int(clue.leaf)) { leaf in
                leaf.slot(of: id, probably: clue.slot).map { body(&leaf.rows[$0]) }
            }
            if let outcome { return outcome }
            checkIDs(in: Int(clue.leaf), against: id)
            index.skipClues(of: hash, to: clue.leaf, from: &tried)
        }
        return nil
    }

    /// Puts a row with a new id in the place of one.
    @inlinable
    mutating func rename(_ id: Element.ID, to row: Element) {
        guard let place = place(of: id) else { return }
        let leaf = UInt32(place.leaf)
        if !index.remove(RowIndex.hash(of: id), from: leaf) { Self.reportUnstableID(id) }
        nodes.modify(place.leaf) { $0.rows[place.slot] = row }
        index.insert(
            RowIndex.hash(of: row.id), RowIndex.Clue(leaf: leaf, slot: place.slot))
    }

    /// The place of the row at `position`, or after the last row of a leaf.
    @inlinable
    func place(at position: Int) -> Place {
        var number = Int(root)
        var rest = UInt32(position)
        while nodes[number].isBranch {
            let children = nodes[number].children
            var slot = 0
            while rest > children[slot].count {
                rest -= children[slot].count
                slot += 1
            }
            number = Int(children[slot].node)
        }
        return Place(leaf: number, slot: Int(rest))
    }

    /// The rows on both sides of a row.
    @inlinable
    func neighbors(of place: Place) -> (left: Element?, right: Element?) {
        let rows = nodes[place.leaf].rows
        if place.slot > 0 && place.slot < rows.count - 1 {
            return (rows[place.slot - 1], rows[place.slot + 1])
        }
        let position = position(of: place)
        return (
            position == 0 ? nil : self[position - 1],
            position == count - 1 ? nil : self[position + 1]
        )
    }

    @inlinable
    subscript(position: Int) -> Element {
        let (rows, slot) = rows(around: position)
        return rows[slot]
    }

    /// The rows of the leaf that holds the row at `position`, and that row's slot there.
    @inlinable
    func rows(around position: Int) -> (rows: ContiguousArray<Element>, slot: Int) {
        let before = place(at: position + 1)
        return (nodes[before.leaf].rows, before.slot - 1)
    }

    @inlinable
    func position(of place: Place) -> Int {
        var position = place.slot
        var child = UInt32(place.leaf)
        var parent = nodes[place.leaf].parent
        while let number = parent {
            for sibling in nodes[Int(number)].children {
                if sibling.node == child { break }
                position += Int(sibling.count)
            }
            child = number
            parent = nodes[Int(number)].parent
        }
        return position
    }

    /// The position after all rows that `row` does not have to precede.
    @inlinable
    func position(for row: Element, in order: RowOrder<Element>) -> Int {
        position { order.areInOrder(row, $0) }
    }

    /// The position of the first row that comes after something, as do all behind it; the number of
    /// rows if there is none.
    @inlinable
    func position(ofFirst comesAfter: (Element) -> Bool) -> Int {
        var number = Int(root)
        var position = 0
        while nodes[number].isBranch {
            let children = nodes[number].children
            var (low, high) = (0, children.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if comesAfter(firstRow(below: Int(children[middle].node))) {
                    high = middle - 1
                } else {
                    low = middle
                }
            }
            for child in children[..<low] { position += Int(child.count) }
            number = Int(children[low].node)
        }
        let rows = nodes[number].rows
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if comesAfter(rows[middle]) { high = middle } else { low = middle + 1 }
        }
        return position + low
    }

    @inlinable
    func firstRow(below node: Int) -> Element {
        var number = node
        while nodes[number].isBranch { number = Int(nodes[number].children[0].node) }
        return nodes[number].rows[0]
    }
}

extension RowTree.Place: Sendable {}
