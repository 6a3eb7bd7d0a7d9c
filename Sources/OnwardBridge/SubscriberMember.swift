// SPDX-License-Identifier: MIT

public import Onward
internal import Synchronization

/// One subscriber of a `SubscriberList`: when it may be called, and with what.
///
/// It passes through the cases of `Phase`. In each of them there is exactly one thread that may
/// call: the subscribing thread while it is starting, the deliverer afterwards. So there are never
/// two calls at a time, and a member at rest costs a delivery one atomic load. What others
/// delivered while it was starting is left to the deliverer, so that subscribing ends.
///
/// States come as pointers: the code that makes a member knows their type, and reads them in
/// `push`.
///
/// Invariant behind `@unchecked`: calls of `push`, `first` and `since` belong to the thread that
/// may call; the right passes on through `phase`, which is stored with release and loaded with
/// acquire. `slot` belongs to the lock of the list, `backlog` to that of the source.
@usableFromInline
package final class SubscriberMember: @unchecked Sendable {
    /// Takes the state before, nil at first, and the new one.
    @usableFromInline
    package typealias Push = (_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer) -> Void

    private let phase = Atomic(Phase.starting)
    private let push: Push
    /// What was notified while it was starting; nil before anything was, as is usual.
    @exclusivity(unchecked) private var backlog: Backlog<KeptChange>?
    /// Whether the main actor calls it.
    @usableFromInline let isOnMain: Bool
    /// Whether it ends with an owner.
    @usableFromInline let hasOwner: Bool
    /// Whether it is given the state before, too.
    @usableFromInline let wantsOld: Bool
    /// The object it belongs to; the list keeps no owner alive.
    private(set) weak var owner: AnyObject?
    /// Its position among the others; nil when it has none.
    var slot: Int?
    /// The version at which it subscribed; it never sees anything older.
    private var since: CommitVersion = 0
    /// The state at which it subscribed, which is the old one in the next call.
    private var first: KeptState?

    /// A subscriber that ends with its owner; nil for one that ends when it says so.
    ///
    /// - Parameters:
    ///   - owner: The object it belongs to.
    ///   - isOnMain: Whether the main actor calls it; otherwise the deliverer does.
    ///   - wantsOld: Whether it is given the state before, too.
    ///   - push: Takes the states.
    @usableFromInline
    package init(
        owner: AnyObject?, isOnMain: Bool = false, wantsOld: Bool = true, _ push: @escaping Push
    ) {
        self.owner = owner
        self.wantsOld = wantsOld
        self.isOnMain = isOnMain
        hasOwner = owner != nil
        self.push = push
    }

    /// The same subscriber before its first call.
    @usableFromInline
    func anew() -> SubscriberMember {
        SubscriberMember(owner: owner, isOnMain: isOnMain, wantsOld: wantsOld, push)
    }

    /// Whether its owner is gone.
    @usableFromInline
    var isOrphan: Bool { hasOwner && owner == nil }
    /// Whether it is no longer called.
    private var isEnded: Bool { phase.load(ordering: .acquiring) == .ended }

    /// Makes the first call and those that came meanwhile.
    @usableFromInline
    func start<State>(
        from source: Source, _ store: Store<BridgedState<State>>, with state: UnsafeRawPointer?,
        keeping first: KeptState?, at version: CommitVersion
    ) {
        since = version
        self.first = first
        if let state, !isEnded {
            store.call(as: DeliveryMark(first: version, inside: store.delivery)) {
                push(nil, state)
            }
        }
        var isLeft = false
        while let late = nextOwn(source, &isLeft) { call(with: late, of: store) }
        if isLeft {
            store.callInTurn { [weak store] in
                if let store { self.catchUp(from: source, store) }
            }
        }
    }

    /// Takes a state; by the deliverer.
    @inline(__always)
    func take(_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer, from source: Source) {
        guard phase.load(ordering: .acquiring) == .settled else {
            return takeEarly(old, new, from: source)
        }
        push(old, new)
    }

    /// Ends the calls; from any thread.
    @usableFromInline
    package func end() {
        phase.store(.ended, ordering: .releasing)
    }

    @inline(never)
    private func takeEarly(
        _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer, from source: Source
    ) {
        guard let store = source.store, let mark = store.delivery else { return }
        // What is replaced is released outside the lock.
        var skipped: Backlog<KeptChange>.Late?
        let isStarting = source.backlogs.withLock { () -> Bool in
            guard phase.load(ordering: .acquiring) == .starting else { return false }
            var open = backlog.take() ?? Backlog()
            skipped = open.add(
                source.keep(old, new), as: mark, limit: store.waitingCommits
            ) { earlier, later in KeptChange(old: earlier.old, new: later.new) }
            backlog = open
            return true
        }
        withExtendedLifetime(skipped) {}
        guard !isStarting else { return }
        catchUp(from: source, store)
        guard phase.load(ordering: .acquiring) == .started, mark.version > since else { return }
        push(after: old, new)
        pass(from: .started, to: .settled)
    }

    /// The next call that was left by this thread, which is starting it; when there is none, the
    /// right to call passes to the deliverer, with those that others left.
    private func nextOwn(_ source: Source, _ isLeft: inout Bool) -> Backlog<KeptChange>.Late? {
        source.backlogs.withLock { () -> Backlog<KeptChange>.Late? in
            guard phase.load(ordering: .acquiring) == .starting else { return nil }
            if let late = backlog?.takeOwn() { return late }
            pass(from: .starting, to: .started)
            isLeft = backlog.map { !$0.isEmpty } ?? false
            return nil
        }
    }

    /// Makes the calls that were left while it was starting; by the deliverer.
    private func catchUp(from source: Source, _ store: any SubscribedStore) {
        while phase.load(ordering: .acquiring) == .started,
            let late = source.backlogs.withLock({ backlog?.take() })
        {
            call(with: late, of: store)
        }
    }

    private func call(with late: Backlog<KeptChange>.Late, of store: any SubscribedStore) {
        guard late.mark.version > since else { return }
        store.call(as: late.mark) { late.call.withPointers(push(after:_:)) }
    }

    /// Makes a call that may be the next one after the first, whose old state is the first one.
    private func push(after old: UnsafeRawPointer?, _ new: UnsafeRawPointer) {
        guard let first else { return push(old, new) }
        self.first = nil
        first.withPointer { push($0, new) }
    }

    /// Goes to the next phase, unless it has ended meanwhile.
    private func pass(from phase: Phase, to next: Phase) {
        _ = self.phase.compareExchange(
            expected: phase, desired: next, ordering: .acquiringAndReleasing)
    }
}

/// Where a subscriber stands.
private enum Phase: UInt8, AtomicRepresentable {
    /// The subscribing thread makes the first call; what is notified meanwhile waits in the
    /// backlog.
    case starting
    /// The deliverer makes the calls of the backlog, and then the first one of a delivery; values
    /// up to `since` may still come.
    case started
    /// Deliveries call it.
    case settled
    /// It is no longer called.
    case ended
}
