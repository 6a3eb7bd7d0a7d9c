// SPDX-License-Identifier: MIT

/// The instances of a slice that come and go, in a tree along the way to them.
///
/// Problem: a commit has to find which of many instances have changed or gone, at any depth of
/// optionals, cases and rows, at the cost of what it changed.
///
/// Strategy: each collection, optional and computed value on the way has a node, which remembers
/// what it looked like: a table its mark, an optional the id of its child. An update goes from
/// the root only through what is no longer as it was remembered:
///
/// ```
/// opt ── rows ─┬─ #1 ── leaf        a commit that changed row 2: the mark of `rows` is another
///              ├─ #2 ── leaf  ←     one, its log names row 2, and nobody looks at 1 and 3
///              └─ #3 ── leaf
/// ```
///
/// Arrays have no log: all their rows are looked at. A tree belongs to the store's lock. An update
/// calls the `hash` and `==` of ids, and the computed properties on the way; what it takes out of
/// the tree is handed to the caller, to be released outside the lock.
package final class InstanceTree: @unchecked Sendable {  // As said above.
    private let path: InstancePath
    private let isComplete: Bool
    private var root: InstanceNode
    /// Leaves of instances that have been found to be others than they were, by other means.
    private var replaced: [InstanceLeaf] = []
    /// How many nodes and rows were looked at: what updates cost.
    package private(set) var visits = 0

    /// Makes an empty tree; one that `isComplete` holds each instance from its first update on, any other one those
    /// that are added.
    package init(of path: InstancePath, isComplete: Bool) {
        self.path = path
        self.isComplete = isComplete
        root = path.makeNode(at: 0, under: nil)
    }

    package var isEmpty: Bool { root.isEmpty }

    /// Finds the instances that may have changed since the last update, and those that have gone.
    ///
    /// - Parameters:
    ///   - start: The value at the start of the lens's range.
    ///   - touched: Receives each instance that may have changed, with its value.
    ///   - renamed: Receives each instance that stays, with another id of a row on the way to it.
    ///   - ended: Receives each instance that is gone, also where another one is in its place.
    /// - Returns: What is to be released outside the lock.
    /// - Complexity: O(changed rows) and O(log rows) for each of them; O(rows) for arrays and for
    ///   tables whose log does not reach back.
    package func update(
        at start: UnsafeRawPointer, touched: (InstanceLeaf, UnsafeRawPointer) -> Void,
        renamed: (InstanceLeaf) -> Void = { _ in }, ended: (InstanceLeaf) -> Void
    ) -> [any Sendable] {
        withoutActuallyEscaping(touched) { touched in
            withoutActuallyEscaping(renamed) { renamed in
                withoutActuallyEscaping(ended) { ended in
                    update(
                        at: start,
                        InstanceWalk(isComplete: isComplete, touched, renamed, ended))
                }
            }
        }
    }

    private func update(at start: UnsafeRawPointer, _ walk: InstanceWalk) -> [any Sendable] {
        root = root.updated(start, walk)
        // Mostly the logs have said so, too.
        replaced.removeAll(where: \.isEnded)
        if !replaced.isEmpty {
            walk.skipsUnchanged = false
            root = root.updated(start, walk)
            walk.rest += replaced.map { $0 as any Sendable }
            replaced = []
        }
        visits += walk.visits
        return walk.rest
    }

    /// Has the next update end a leaf, whose instance was replaced, although nothing on the way may say so.
    package func replace(_ leaf: InstanceLeaf) {
        guard !leaf.isEnded, !leaf.isReplaced else { return }
        leaf.isReplaced = true
        replaced.append(leaf)
    }

    /// The leaf of an instance, which becomes part of the tree; nil when there is no such instance.
    package func leaf(at rows: [RowKey], from start: UnsafeRawPointer) -> InstanceLeaf? {
        visits += 1
        return root.leaf(at: rows[...], start)
    }

    /// Takes a leaf without contents out of the tree; returns what is to be released outside the
    /// lock.
    package func remove(_ leaf: InstanceLeaf) -> [any Sendable] {
        visits += 1
        var rest: [any Sendable] = []
        root.remove((leaf.name?.path ?? [])[...], &rest)
        return rest
    }
}

/// An instance in a tree, until it is gone: an instance that comes to its address later has another
/// one.
package final class InstanceLeaf: InstanceNode, @unchecked Sendable {  // As its tree.
    let name: RowName?
    /// Where the slice lies in what the last stage leads to.
    private let offset: Int
    /// What is kept of the instance.
    package var content: AnyObject?
    /// Whether the instance is gone.
    package private(set) var isEnded = false
    fileprivate(set) var isReplaced = false

    init(_ name: RowName?, offset: Int) {
        self.name = name
        self.offset = offset
    }

    /// The leaf of an instance that no rows lead to, outside of any tree.
    package static func single() -> InstanceLeaf { InstanceLeaf(nil, offset: 0) }

    /// The rows on the way to the instance, outermost first, under their present ids.
    ///
    /// It belongs to the store's lock, as the tree does.
    package var rows: [RowKey] { name?.path.map(\.key) ?? [] }

    override var isEmpty: Bool { content == nil }

    override func updated(_ value: UnsafeRawPointer, _ walk: InstanceWalk) -> InstanceNode {
        walk.visits += 1
        guard isReplaced else {
            if walk.skipsUnchanged { walk.touched(self, value + offset) }
            return self
        }
        guard !walk.skipsUnchanged else { return self }
        end(walk)
        let new = InstanceLeaf(name, offset: offset)
        walk.touched(new, value + offset)
        return new
    }

    override func end(_ walk: InstanceWalk) {
        isEnded = true
        walk.ended(self)
    }

    override func rename(_ walk: InstanceWalk) { walk.renamed(self) }

    override func leaf(at rows: ArraySlice<RowKey>, _ value: UnsafeRawPointer) -> InstanceLeaf? {
        self
    }
}

extension InstanceLeaf: Hashable {
    package static func == (left: InstanceLeaf, right: InstanceLeaf) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// One update of a tree.
final class InstanceWalk {
    /// Whether instances become part of the tree when they are seen.
    let isComplete: Bool
    let touched: (InstanceLeaf, UnsafeRawPointer) -> Void
    let renamed: (InstanceLeaf) -> Void
    let ended: (InstanceLeaf) -> Void
    /// Whether it looks only at what is not as it was; else only at instances that were replaced.
    var skipsUnchanged = true
    /// What is to be released outside the lock.
    var rest: [any Sendable] = []
    var visits = 0

    init(
        isComplete: Bool, _ touched: @escaping (InstanceLeaf, UnsafeRawPointer) -> Void,
        _ renamed: @escaping (InstanceLeaf) -> Void, _ ended: @escaping (InstanceLeaf) -> Void
    ) {
        self.isComplete = isComplete
        self.touched = touched
        self.renamed = renamed
        self.ended = ended
    }

    /// Whether a node stays in the tree; one that all instances have left is of use only where others may come.
    func keeps(_ node: InstanceNode) -> Bool { isComplete || !node.isEmpty }
}
