// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// Names a node: a program that takes part in a cluster.
package struct NodeID: Sendable, Hashable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var description: String { name }

    /// How far in front a node stands for a store: the same on every node, and another order for another store.
    func rank(for store: String) -> UInt64 {
        var sum = Checksum()
        sum.add(store)
        sum.add(name)
        return sum.value
    }
}
