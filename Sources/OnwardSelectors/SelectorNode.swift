// SPDX-License-Identifier: MIT

public import OnwardCore
import Synchronization

/// A selector at work in one place of a store, without its types.
///
/// Its users keep it: groups of subscribers, nodes of other selectors, and the cache for a while when it
/// was read. When the last one releases it, what it computed goes.
///
/// The evaluating thread holds `evaluation`, and the memo belongs to it. Closures of selectors and `==` are
/// called meanwhile: that this cannot deadlock follows from two rules. A thread that evaluates anything
/// never waits (it computes the value a second time instead, and does not remember it), and the inputs
/// are asked for before the lock is taken. So no thread waits for a thread that waits.
///
/// A selector may lead to another one in many ways, and through many others. So a node is checked once
/// for a version of the state (`SelectorMemo` knows for which it was), and what lies deep below a node is
/// checked before it, from the bottom up, which takes a list and no stack.
@usableFromInline
class AnySelectorNode: @unchecked Sendable {  // As above; `cache` is set once.
    package let key: SelectorKey
    /// The hash of the key, which may be foreign code.
    let hash: Int
    let origin: ActionOrigin
    let ranges: StateRanges
    /// The nodes among the inputs.
    private let inputs: [AnySelectorNode]
    /// How many nodes there are on the longest way to the state, this one included.
    let depth: Int
    private weak var cache: SelectorCache?
    private let evaluation = Lock()
    private var memo = SelectorMemo()
    private let evaluations = Atomic<Int>(0)
    private let hits = Atomic<Int>(0)
    private let isMeasured: Atomic<Bool>
    private let evaluationCost = CostCounter()

    init(_ registration: SelectorRegistration, _ inputs: SelectorInputs) {
        key = registration.key
        hash = registration.key.hashValue
        origin = registration.origin
        cache = registration.cache
        isMeasured = Atomic(registration.cache.measuresAll)
        ranges = inputs.ranges
        self.inputs = inputs.nodes
        depth = 1 + (inputs.nodes.lazy.map(\.depth).max() ?? 0)
    }

    deinit {
        cache?.forget(self)
    }

    /// The counters, and which selector they belong to.
    final var statistics: SelectorStatistics {
        SelectorStatistics(
            origin: origin, parameter: key.selector.parameter.map { String(describing: $0) },
            evaluations: evaluations.load(ordering: .relaxed),
            hits: hits.load(ordering: .relaxed))
    }

    /// Has its evaluations measured from here on.
    final func measure() { isMeasured.store(true, ordering: .relaxed) }

    /// What its evaluations took, without its inputs; nil where nobody measures them.
    final var cost: MeasuredCost? {
        isMeasured.load(ordering: .relaxed) ? evaluationCost.cost : nil
    }

    // MARK: The right to evaluate

    /// Takes the right to evaluate; false when another thread has it and this one must not wait.
    @usableFromInline
    final func claim() -> Bool {
        let thread = CurrentThread.id
        if evaluation.tryAcquire(as: thread) { return true }
        guard ThreadFrame.innermostEvaluation == nil else {
            evaluations.add(1, ordering: .relaxed)
            return false
        }
        evaluation.acquire(as: thread)
        return true
    }

    /// Takes the right to evaluate if no thread has it, to look at what is remembered.
    @usableFromInline
    final func claimAtOnce() -> Bool { evaluation.tryAcquire(as: CurrentThread.id) }

    /// Gives the right back where nothing was evaluated.
    @usableFromInline
    final func release() { evaluation.release() }

    /// Gives the right to evaluate back, and releases what will not be asked for.
    @usableFromInline
    final func release(_ root: RootCopy) {
        // After the lock: what values refer to may use the store when it goes.
        let dropped = memo.dropEntries(before: root.horizon)
        evaluation.release()
        withExtendedLifetime(dropped) {}
    }

    /// Runs `body`, in which the thread is known to evaluate this node.
    @usableFromInline
    final func evaluating<Result>(_ body: () -> Result) -> Result {
        guard isMeasured.load(ordering: .relaxed) else {
            return ThreadFrame.push(engine: id, chain: nil, kind: .evaluation, body)
        }
        return evaluationCost.measure {
            ThreadFrame.push(engine: id, chain: nil, kind: .evaluation, body)
        }
    }

    /// Runs `body`, in which the thread is known to ask the member of a family that this node chose.
    ///
    /// That is not an evaluation: it holds no right, so it may wait for one.
    final func choosing<Result>(in root: RootCopy, _ body: () -> Result) -> Result {
        ThreadFrame.push(engine: id, version: root.version, chain: nil, kind: .choice, body)
    }

    /// Which node it is, for frames of threads.
    private var id: UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Stops a selector whose value is needed to compute it: there is no answer to continue with.
    @usableFromInline
    final func refuseSelfDependence(_ root: RootCopy) {
        guard let frame = ThreadFrame.innermost(of: id) else { return }
        // A closure that dispatches may be delivered to while it runs; that does not mean that it needs
        // itself. But a family that is asked for the same state by the member it chose has come full
        // circle.
        let isCircle = frame.kind == .choice && frame.version == root.version
        guard !root.isDelivery || isCircle else { return }
        let mistake = ProgrammerError.selectorOfItself(origin, key.selector.parameter)
        cache?.onProgrammerError(mistake)
        preconditionFailure(mistake.description)
    }

    // MARK: The inputs

    /// How deep the calls of nodes by nodes may be.
    static var nesting: Int { 16 }

    /// Has the value made for a state, for those that will ask for it.
    func prepare(for root: RootCopy) {}

    /// Has the values of all nodes below this one made, in so far as they are not known.
    final func prepareInputs(for root: RootCopy) {
        guard depth > Self.nesting, !knows(root) else { return }
        var path: [(node: AnySelectorNode, next: Int)] = [(self, 0)]
        while let (node, next) = path.last {
            guard next < node.inputs.count else {
                path.removeLast()
                if !path.isEmpty { node.prepare(for: root) }
                continue
            }
            path[path.count - 1].next += 1
            let input = node.inputs[next]
            if input.depth > Self.nesting, !input.knows(root) { path.append((input, 0)) }
        }
    }

    /// Whether the value for a state is known; false also while a thread computes one.
    private func knows(_ root: RootCopy) -> Bool {
        guard claimAtOnce() else { return false }
        defer { release() }
        return index(for: root) != nil
    }

    // MARK: The memo, by the holder of the right

    /// The entry with the value for a state, where the node was checked for its version.
    @usableFromInline
    final func index(for root: RootCopy) -> Int? { memo.index(for: root.version) }

    /// Counts that a value was known; returns the number of its evaluation.
    @usableFromInline
    final func recall(_ index: Int) -> UInt64 {
        hits.add(1, ordering: .relaxed)
        return memo.entries[index].evaluation
    }

    @usableFromInline
    final var memoCount: Int { memo.entries.count }

    @usableFromInline
    final func box(_ index: Int) -> AnySelectorBox { memo.entries[index].box }

    /// Whether an entry will not be asked for again.
    @usableFromInline
    final func isPast(_ index: Int, _ root: RootCopy) -> Bool {
        memo.entries[index].version < root.horizon
    }

    @usableFromInline
    final func use(_ index: Int, _ root: RootCopy) -> UInt64 {
        hits.add(1, ordering: .relaxed)
        return memo.use(index, in: root.version)
    }

    @usableFromInline
    final func renew(_ index: Int, _ root: RootCopy) -> UInt64 {
        evaluations.add(1, ordering: .relaxed)
        return memo.renew(index, in: root.version)
    }

    @usableFromInline
    final func add(_ box: AnySelectorBox, _ root: RootCopy) -> UInt64 {
        evaluations.add(1, ordering: .relaxed)
        return memo.add(box, in: root.version)
    }
}

/// A selector at work in one place of a store.
@usableFromInline
final class SelectorNode<Value: Sendable>: AnySelectorNode, @unchecked Sendable {
    // As its superclass; the rest never changes.
    @usableFromInline
    typealias Evaluate = @Sendable (RootCopy, AnySelectorNode) -> SelectorResult<Value>

    private let evaluate: Evaluate

    @usableFromInline
    init(
        _ registration: SelectorRegistration, _ inputs: SelectorInputs,
        _ evaluate: @escaping Evaluate
    ) {
        self.evaluate = evaluate
        super.init(registration, inputs)
    }

    /// The value in a state, from memory if its inputs are remembered.
    func result(in root: RootCopy) -> SelectorResult<Value> {
        prepareInputs(for: root)
        return resultOfPreparedInputs(in: root)
    }

    override func prepare(for root: RootCopy) { _ = resultOfPreparedInputs(in: root) }

    private func resultOfPreparedInputs(in root: RootCopy) -> SelectorResult<Value> {
        refuseSelfDependence(root)
        return evaluate(root, self)
    }
}

/// Where a node belongs.
@usableFromInline
struct SelectorRegistration: Sendable {
    package let key: SelectorKey
    let origin: ActionOrigin
    let cache: SelectorCache
}
