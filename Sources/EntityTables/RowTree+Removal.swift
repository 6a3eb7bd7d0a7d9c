// SPDX-License-Identifier: MIT

extension RowTree {
    @inlinable
    mutating func remove(_ id: Element.ID) -> Element? {
        guard let place = place(of: id) else { return nil }
        let row = nodes.modify(place.leaf) { $0.rows.remove(at: place.slot) }
        forget(id, of: place.leaf)
        return row
    }

    /// Takes a row out, which must be put back or given up before anything else is done.
    ///
    /// Until then the last row of the leaf stands in its slot: that is faster than closing the
    /// gap and opening it again.
    @inlinable
    mutating func take(_ place: Place) -> Element {
        nodes.modify(place.leaf) { leaf in
            leaf.rows.swapAt(place.slot, leaf.rows.count - 1)
            return leaf.rows.removeLast()
        }
    }

    @inlinable
    mutating func put(_ row: Element, back place: Place) {
        nodes.modify(place.leaf) { leaf in
            leaf.rows.append(row)
            leaf.rows.swapAt(place.slot, leaf.rows.count - 1)
        }
    }

    @inlinable
    mutating func forget(_ id: Element.ID, takenFrom place: Place) {
        nodes.modify(place.leaf) { leaf in
            guard place.slot < leaf.rows.count else { return }
            leaf.rows.append(leaf.rows.remove(at: place.slot))
        }
        forget(id, of: place.leaf)
    }

    /// Updates the index and the tree after a row has left a leaf.
    @inlinable
    mutating func forget(_ id: Element.ID, of leaf: Int) {
        if !index.remove(RowIndex.hash(of: id), from: UInt32(leaf)) { Self.reportUnstableID(id) }
        changeCount(above: leaf, by: -1)
        if nodes[leaf].rows.count < RowNode<Element>.fewest { fill(leaf) }
    }

    /// Joins a node that has become too small with a sibling, and splits the two if that is more
    /// than one node may hold.
    @inlinable
    mutating func fill(_ number: Int) {
        guard let parent = nodes[number].parent else { return }
        let siblings = nodes[Int(parent)].children
        let leftSlot = max(nodes[Int(parent)].slot(of: UInt32(number)) - 1, 0)
        let (left, right) = (siblings[leftSlot], siblings[leftSlot + 1])
        let moved = dissolve(right.node)
        let size = nodes.modify(Int(left.node)) { node in
            node.rows.append(contentsOf: moved.rows)
            node.children.append(contentsOf: moved.children)
            return node.size
        }
        settle(moved, takenFrom: right.node, in: left.node, from: size - moved.size)
        let branchSize = nodes.modify(Int(parent)) { branch in
            branch.children[leftSlot].count += right.count
            branch.children.remove(at: leftSlot + 1)
            return branch.children.count
        }
        if size > RowNode<Element>.most {
            split(Int(left.node))
        } else if parent == root && branchSize == 1 {
            _ = dissolve(parent)
            root = left.node
            nodes.modify(Int(root)) { $0.parent = nil }
        } else if branchSize < RowNode<Element>.fewest {
            fill(Int(parent))
        }
    }

    /// Empties a node, keeps its number for the next one, and returns what it held.
    @inlinable
    mutating func dissolve(_ number: UInt32) -> RowNode<Element> {
        let next = firstDissolved
        firstDissolved = number
        return nodes.modify(Int(number)) { node in
            let held = node
            node = RowNode(parent: next)
            return held
        }
    }
}
