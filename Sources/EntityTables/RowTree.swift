// SPDX-License-Identifier: MIT

/// The rows of a table: a persistent B+ tree that counts, and an index from id to leaf.
///
/// The problem: a row must be found by its position and by its id, and its id must lead to its
/// position, all in O(log *n*) and without copying everything for each version. Persistent nodes
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

    @usableFromInline var nodes = PageVector<RowNode<Element>>()
    @usableFromInline var index = RowIndex()
    @usableFromInline var root: NodeNumber = 0
    @usableFromInline var firstDissolved: NodeNumber?
    @usableFromInline var count = 0

    @inlinable
    init() {
        _ = nodes.append(RowNode(parent: nil))
    }
}

extension RowTree: Sendable where Element: Sendable, Element.ID: Sendable {}
