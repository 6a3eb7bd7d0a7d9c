// SPDX-License-Identifier: MIT

extension RowTree {
    /// Adds a row with a new id so that it stands at `position`.
    @inlinable
    mutating func insert(_ row: Element, at position: Int) {
        let place = place(at: position)
        index.insert(
            RowIndex.hash(of: row.id), RowIndex.Clue(leaf: NodeNumber(place.leaf), slot: place.slot)
        )
        let size = nodes.modify(place.leaf) { leaf in
            leaf.makeRoomForRow()
            leaf.rows.insert(row, at: place.slot)
            return leaf.rows.count
        }
        changeCount(above: place.leaf, by: 1)
        if size > RowNode<Element>.most { split(place.leaf, atEnd: position == count - 1) }
    }

    /// Changes all counts on the way to the root by the rows that a leaf has gained or lost.
    @inlinable
    mutating func changeCount(above leaf: Int, by difference: Int) {
        count += difference
        var child = UInt32(leaf)
        var parent = nodes[leaf].parent
        while let number = parent {
            parent = nodes.modify(Int(number)) { branch in
                let slot = branch.slot(of: child)
                branch.children[slot].count = UInt32(
                    Int(branch.children[slot].count) + difference)
                return branch.parent
            }
            child = number
        }
    }

    /// Gives a part of an overfull node to a new node on its right.
    ///
    /// A table that is only appended to gets full leaves and an index that is seldom rewritten: at
    /// the end of the table, as few rows as possible go to the new node.
    @inlinable
    mutating func split(_ number: Int, atEnd: Bool = false) {
        let parent = nodes[number].parent ?? addRoot(above: number)
        var right = RowNode<Element>(parent: parent)
        let kept = nodes.modify(number) { left in
            let kept = atEnd ? left.size - RowNode<Element>.fewest : left.size / 2
            if left.isBranch {
                right.children.append(contentsOf: left.children[kept...])
                left.children.removeSubrange(kept...)
            } else {
                right.rows = ContiguousArray(left.rows[kept...])
                left.rows = ContiguousArray(left.rows[..<kept])
            }
            left.parent = parent
            return left.total
        }
        let total = right.total
        let new = add(right, takenFrom: UInt32(number))
        let siblings = nodes.modify(Int(parent)) { branch in
            let slot = branch.slot(of: UInt32(number))
            branch.children[slot].count = kept
            branch.children.insert(.init(node: new, count: total), at: slot + 1)
            return branch.children.count
        }
        if siblings > RowNode<Element>.most { split(Int(parent), atEnd: atEnd) }
    }

    @inlinable
    mutating func addRoot(above number: Int) -> UInt32 {
        var branch = RowNode<Element>(parent: nil)
        branch.children.append(.init(node: UInt32(number), count: UInt32(count)))
        root = add(branch, takenFrom: UInt32(number))
        return root
    }

    /// Gives a node a number, and notes for everything it holds where it is now.
    @inlinable
    mutating func add(_ node: RowNode<Element>, takenFrom origin: UInt32) -> UInt32 {
        let number: UInt32
        if let dissolved = firstDissolved {
            number = dissolved
            firstDissolved = nodes[Int(dissolved)].parent
            nodes.modify(Int(dissolved)) { $0 = node }
        } else {
            number = UInt32(nodes.append(node))
        }
        settle(node, takenFrom: origin, in: number)
        return number
    }

    /// Notes the new place of everything that moved from one node to another.
    @inlinable
    mutating func settle(
        _ contents: RowNode<Element>, takenFrom origin: UInt32, in number: UInt32,
        from first: Int = 0
    ) {
        for (slot, row) in contents.rows.enumerated() {
            let clue = RowIndex.Clue(leaf: number, slot: first + slot)
            if !index.move(RowIndex.hash(of: row.id), from: origin, to: clue) {
                Self.reportUnstableID(row.id)
            }
        }
        for child in contents.children { nodes.modify(Int(child.node)) { $0.parent = number } }
    }
}
