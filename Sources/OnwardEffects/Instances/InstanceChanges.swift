// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Follows the instances of a slice: copies those that may have changed under the lock, for a
/// subscriber that looks at the copies outside it.
// `tree`, `looked` and `rest` belong to the store's lock, hence `@unchecked`.
final class InstanceChanges<Slice: Sendable>: InstanceReader, InstanceFollower, @unchecked Sendable
{
    /// An instance that may have changed, with its present value; nil when it is gone.
    typealias Found = (leaf: InstanceLeaf, value: Slice?)

    private let tree: InstanceTree
    private let offset: Int
    /// The version of the state at which it looked last.
    private var looked: CommitVersion?
    private let found = Guarded<[Found]>([])
    private var rest: [any Sendable] = []

    init(of lens: SliceLens) {
        tree = InstanceTree(of: lens.path, isComplete: true)
        offset = lens.range.lowerBound
    }

    var hasFound: Bool { found.withValue { !$0.isEmpty } }

    /// How many nodes and rows were looked at.
    var visits: Int { tree.visits }

    func look(at root: UnsafeRawPointer, _ locked: borrowing Locked) {
        looked = locked.version
        var found: [Found] = []
        rest += tree.update(
            at: root + offset,
            touched: { found.append(($0, $1.assumingMemoryBound(to: Slice.self).pointee)) },
            ended: { found.append(($0, nil)) })
        if !found.isEmpty { self.found.withValue { $0 += found } }
    }

    func lookAgain(at root: UnsafeRawPointer, _ locked: borrowing Locked) {
        if looked != locked.version { look(at: root, locked) }
    }

    func replace(_ leaf: InstanceLeaf, _ locked: borrowing Locked) { tree.replace(leaf) }

    func takeRest(_ locked: borrowing Locked) -> [any Sendable] {
        defer { rest = [] }
        return rest
    }

    /// What was found since the last call, each instance once.
    func take() -> [Found] {
        var taken: [Found] = []
        found.withValue { swap(&taken, &$0) }
        guard taken.count > 1 else { return taken }
        var seen: Set<InstanceLeaf> = []
        return taken.reversed().filter { seen.insert($0.leaf).inserted }.reversed()
    }
}
