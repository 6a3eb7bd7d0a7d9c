// SPDX-License-Identifier: MIT

#if DEBUG || ONWARD_CHECKS
extension RowTree {
    /// Looks at every node, and traps at the first violation.
    func checkInvariants() {
        var reached = 0
        let (rows, _) = checkNode(root, parent: nil, reached: &reached)
        precondition(rows == count, "the nodes hold \(rows) rows, the tree counts \(count)")
        precondition(index.count == count, "the index does not have each row once")
        var dissolved = firstDissolved
        while let number = dissolved {
            reached += 1
            let node = nodes[Int(number)]
            precondition(node.size == 0, "the dissolved node \(number) is not empty")
            dissolved = node.parent
        }
        precondition(reached == nodes.count, "a node is neither in the tree nor dissolved")
    }

    private func checkNode(
        _ number: NodeNumber, parent: NodeNumber?, reached: inout Int
    ) -> (rows: Int, height: Int) {
        reached += 1
        let node = nodes[Int(number)]
        precondition(node.parent == parent, "node \(number) does not know its parent")
        precondition(node.rows.isEmpty || node.children.isEmpty, "node \(number) is both")
        precondition(node.size <= RowNode<Element>.most, "node \(number) is overfull")
        precondition(
            parent == nil || node.size >= RowNode<Element>.fewest,
            "node \(number) is too small")
        for row in node.rows {
            let hash = RowIndex.hash(of: row.id)
            precondition(
                index.knows(hash, in: number),
                "the index misplaces the row \(row.id)")
        }
        guard node.isBranch else { return (node.rows.count, 0) }
        precondition(node.children.count > 1, "branch \(number) has nothing to branch to")
        let below = node.children.map { child in
            let found = checkNode(child.node, parent: number, reached: &reached)
            precondition(found.rows == child.count, "node \(number) miscounts its children")
            return found
        }
        precondition(Set(below.map(\.height)).count == 1, "node \(number) is not balanced")
        return (below.reduce(0) { $0 + $1.rows }, below[0].height + 1)
    }
}
#endif
