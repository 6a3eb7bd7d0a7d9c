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
@usableFromInline
class AnySelectorNode: @unchecked Sendable {  // As above; `cache` is set once.
    package let key: SelectorKey
    let origin: Origin
    let ranges: StateRanges
    private weak var cache: SelectorCache?
    private let evaluation = Lock()
    private var memo = SelectorMemo()
    private let evaluations = Atomic<Int>(0)
    private let hits = Atomic<Int>(0)

    @usableFromInline
    init(_ registration: SelectorRegistration, ranges: [StateRanges]) {
        key = registration.key
        origin = registration.origin
        cache = registration.cache
        var all = ranges.first ?? StateRanges(0..<0)
        for other in ranges.dropFirst() { all.formUnion(other) }
        self.ranges = all
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
        ThreadFrame.push(engine: id, cause: nil, kind: .evaluation, body)
    }

    /// Runs `body`, in which the thread is known to ask the member of a family that this node chose.
    ///
    /// That is not an evaluation: it holds no right, so it may wait for one.
    final func choosing<Result>(in root: RootCopy, _ body: () -> Result) -> Result {
        ThreadFrame.push(engine: id, version: root.version, cause: nil, kind: .choice, body)
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
        let mistake = Misuse.selectorOfItself(origin, key.selector.parameter)
        cache?.misuse(mistake)
        preconditionFailure(mistake.description)
    }

    // MARK: The memo, by the holder of the right

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
        _ registration: SelectorRegistration, ranges: [StateRanges], _ evaluate: @escaping Evaluate
    ) {
        self.evaluate = evaluate
        super.init(registration, ranges: ranges)
    }

    /// The value in a state, from memory if its inputs are remembered.
    func result(in root: RootCopy) -> SelectorResult<Value> {
        refuseSelfDependence(root)
        return evaluate(root, self)
    }
}

/// Where a node belongs.
@usableFromInline
struct SelectorRegistration: Sendable {
    package let key: SelectorKey
    let origin: Origin
    let cache: SelectorCache
}
