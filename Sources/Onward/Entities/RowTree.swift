// SPDX-License-Identifier: MIT

public import HashTreeCollections

/// The rows of a table: a persistent B+ tree that counts, and an index from id to leaf.
///
/// The problem: a row must be found by its position and by its id, and its id must lead to its
/// position, all in O(log *n*) and without one copy of everything per version. Persistent nodes
/// cannot point at their parents, since a parent is a new object in each version.
///
/// The way out: nodes have *numbers*, and live in a persistent array under them. A number stays
/// the same from version to version, so that a node can name its parent, and the index can name
/// the leaf of an id without being touched when the row, or the tree above it, changes.
///
/// ```
/// position ─→ root ─→ branch ─→ leaf ─→ row        down, by the counts of the children
/// id ─→ index ─→ leaf ─→ row                       one look-up, one leaf
/// id ─→ index ─→ leaf ─→ branch ─→ root = position  up, by the parents
/// ```
///
/// Numbers of dissolved nodes are used again; dissolved nodes form a list through `parent`.
/// A leaf's rows stay with its number, hence *leaves that two versions share are in one order in
/// both*. That is what makes the difference of two versions cheap, see `RowTree+Difference.swift`.
@usableFromInline
struct RowTree<Element: Identifiable> {
    @usableFromInline typealias NodeNumber = UInt32

    /// Where the index says a row is.
    @usableFromInline
    struct Clue: Sendable {
        @usableFromInline var leaf: NodeNumber
        /// The slot in which the row was when this was written.
        ///
        /// Rows that come and go in a leaf shift the others without a word to the index, so look
        /// there first, then elsewhere.
        @usableFromInline var slot: UInt32

        @inlinable
        init(leaf: NodeNumber, slot: Int) {
            self.leaf = leaf
            self.slot = UInt32(slot)
        }
    }

    @usableFromInline var nodes = PageVector<RowNode<Element>>()
    @usableFromInline var index: TreeDictionary<Element.ID, Clue> = [:]
    @usableFromInline var root: NodeNumber = 0
    @usableFromInline var firstDissolved: NodeNumber?
    @usableFromInline var count = 0

    @inlinable
    init() {
        _ = nodes.append(RowNode(parent: nil))
    }
}

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

    /// Every node but the root has at least this many rows or children.
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
    func slot(of id: Element.ID, probably guess: UInt32) -> Int {
        let guess = Int(guess)
        if guess < rows.count && rows[guess].id == id { return guess }
        guard let slot = rows.firstIndex(where: { $0.id == id }) else {
            RowNode.reportUnstableID(id)
        }
        return slot
    }

    /// The index leads here, yet no row says it is `id`: the row's id changed behind our back.
    @usableFromInline
    @inline(never)
    static func reportUnstableID(_ id: Element.ID) -> Never {
        preconditionFailure(EntityTableMisuse.unstableID(id, of: Element.self))
    }
}

extension RowTree: Sendable where Element: Sendable, Element.ID: Sendable {}
extension RowNode: Sendable where Element: Sendable {}
