// SPDX-License-Identifier: MIT

/// A leaf, which has rows, or a branch, which has children.
///
/// The root of an empty table has neither, and so have dissolved nodes.
@usableFromInline
struct RowNode<Element> {
    /// A child of a branch, and how many rows are below it.
    @usableFromInline
    struct Child: Sendable {
        @usableFromInline var node: UInt32
        @usableFromInline var count: UInt32

        @inlinable
        init(node: UInt32, count: UInt32) {
            self.node = node
            self.count = count
        }
    }

    @usableFromInline var rows: ContiguousArray<Element> = []
    @usableFromInline var children: ContiguousArray<Child> = []
    @usableFromInline var parent: UInt32?

    /// Every node except the root has at least this many rows or children.
    @inlinable
    static var fewest: Int { 8 }
    @inlinable
    static var most: Int { 32 }

    @inlinable
    init(parent: UInt32?) {
        self.parent = parent
    }

    @inlinable var isBranch: Bool { !children.isEmpty }
    @inlinable var size: Int { max(rows.count, children.count) }

    /// How many rows are in this node and below it.
    @inlinable var total: UInt32 {
        children.reduce(UInt32(rows.count)) { $0 + $1.count }
    }

    /// Has the rows grow as an array does, but to no more than a node may hold before it is split.
    @inlinable
    mutating func makeRoomForRow() {
        if rows.count == rows.capacity {
            rows.reserveCapacity(min(2 * rows.count, Self.most + 1))
        }
    }

    @inlinable
    func slot(of child: UInt32) -> Int {
        guard let slot = children.firstIndex(where: { $0.node == child }) else {
            preconditionFailure("node \(child) is not among the children of its parent")
        }
        return slot
    }
}

extension RowNode where Element: Identifiable {
    @inlinable
    func slot(of id: Element.ID, probably guess: Int) -> Int? {
        if guess < rows.count && rows[guess].id == id { return guess }
        return rows.firstIndex { $0.id == id }
    }
}

extension RowNode: Sendable where Element: Sendable {}
