// SPDX-License-Identifier: MIT

extension RowTree {
    /// How full nodes are that are built together: full enough to be few, with room for a few more.
    @inlinable
    static var built: Int { 28 }

    /// A tree of rows with different ids, level by level from the leaves.
    ///
    /// - Complexity: O(*n*).
    @inlinable
    init(building rows: ContiguousArray<Element>) {
        self.init()
        guard !rows.isEmpty else { return }
        nodes = PageVector()
        count = rows.count
        var sizes = Self.shares(of: rows.count)
        var level = Self.leaves(of: rows, sizes, parents: Self.parents(of: sizes.count))
        index = Self.index(of: level, count: rows.count)
        var first = 0
        while true {
            for node in level { _ = nodes.append(node) }
            let above = first + level.count
            guard level.count > 1 else { break }
            sizes = Self.shares(of: level.count)
            level = Self.branches(over: level, from: first, sizes, at: above)
            first = above
        }
        root = NodeNumber(nodes.count - 1)
    }

    /// The position of the first row that has the id of an earlier row, in a tree just built from
    /// rows whose ids may not be unique; nil if they are unique.
    ///
    /// - Complexity: O(*n*).
    @inlinable
    var firstDuplicate: Int? {
        var first: Int?
        index.forEachPair { earlier, later in
            let row = nodes[Int(later.leaf)].rows[later.slot]
            guard nodes[Int(earlier.leaf)].rows[earlier.slot].id == row.id else { return }
            let position = position(of: Place(leaf: Int(later.leaf), slot: later.slot))
            first = min(first ?? position, position)
        }
        return first
    }

    /// How many of `count` items go to each node, using as few nodes as possible; the shares differ
    /// by at most one.
    @inlinable
    static func shares(of count: Int) -> [Int] {
        guard count > RowNode<Element>.most else { return [count] }
        let nodes = (count + built - 1) / built
        return (0..<nodes).map { count * ($0 + 1) / nodes - count * $0 / nodes }
    }

    /// The number of the parent of each of the nodes numbered from 0 to `count`, counted from the
    /// first parent; nil for the only one.
    @inlinable
    static func parents(of count: Int) -> [UInt32?] {
        guard count > 1 else { return [nil] }
        return shares(of: count).enumerated().flatMap { parent, size in
            Array(repeating: UInt32(count + parent), count: size)
        }
    }

    @inlinable
    static func leaves(
        of rows: ContiguousArray<Element>, _ sizes: [Int], parents: [UInt32?]
    ) -> [RowNode<Element>] {
        var start = 0
        return zip(sizes, parents).map { size, parent in
            var leaf = RowNode<Element>(parent: parent)
            leaf.rows = ContiguousArray(rows[start..<start + size])
            start += size
            return leaf
        }
    }

    @inlinable
    static func index(of leaves: [RowNode<Element>], count: Int) -> RowIndex {
        var entries: ContiguousArray<RowIndex.Entry> = []
        entries.reserveCapacity(count)
        for (number, leaf) in leaves.enumerated() {
            for (slot, row) in leaf.rows.enumerated() {
                entries.append(
                    RowIndex.Entry(
                        hash: RowIndex.hash(of: row.id),
                        clue: RowIndex.Clue(leaf: NodeNumber(number), slot: slot)))
            }
        }
        return RowIndex(entries)
    }

    /// The branches over nodes that are numbered from `first`; the branches are numbered from
    /// `number`.
    @inlinable
    static func branches(
        over nodes: [RowNode<Element>], from first: Int, _ sizes: [Int], at number: Int
    ) -> [RowNode<Element>] {
        // Parents are counted from the end of their own level, which begins at `number`.
        let parents = parents(of: sizes.count).map { $0.map { $0 + UInt32(number) } }
        var start = 0
        return zip(sizes, parents).map { size, parent in
            var branch = RowNode<Element>(parent: parent)
            for child in start..<start + size {
                branch.children.append(
                    .init(node: UInt32(first + child), count: nodes[child].total))
            }
            start += size
            return branch
        }
    }
}
