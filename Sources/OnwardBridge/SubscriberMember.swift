// SPDX-License-Identifier: MIT

internal import Onward
internal import Synchronization

/// One subscriber of a `SubscriberList`: when it may be called, and with what.
///
/// It passes through the cases of `Phase`. In each of them there is exactly one thread that may call:
/// the subscribing thread while it is starting, the deliverer afterwards. So there are never two calls at a
/// time, and a member at rest costs a delivery one atomic load. What others delivered while it was
/// starting is left to the deliverer, so that subscribing ends.
///
/// Invariant behind `@unchecked`: calls of `push`, `first` and `since` belong to the thread that may
/// call; the right passes on through `phase`, which is stored with release and loaded with acquire.
package final class SubscriberMember<State>: @unchecked Sendable {
    /// Takes the value before, nil at first, and the new one.
    package typealias Push =
        (_ old: UnsafePointer<State>?, _ new: UnsafePointer<State>) -> Void

    /// What a call tells.
    private struct Values {
        let old: State?
        let new: State
    }

    private let phase = Atomic(Phase.starting)
    private let push: Push
    /// What was told while it was starting.
    private let backlog = Guarded(Backlog<Values>())
    /// Whether the main actor calls it.
    let isOnMain: Bool
    private let hasOwner: Bool
    /// On whose behalf it is; the list keeps nobody alive.
    private weak var owner: AnyObject?
    /// The version at which it subscribed; what is older it never sees.
    private var since: Version = 0
    /// The value at which it subscribed, which is the old one in the next call.
    private var first: State?

    /// A subscriber that ends with its owner; nil for one that ends when it says so.
    ///
    /// - Parameters:
    ///   - owner: On whose behalf it is.
    ///   - isOnMain: Whether the main actor calls it; otherwise the deliverer does.
    ///   - push: Takes the values.
    package init(owner: AnyObject?, isOnMain: Bool = false, _ push: @escaping Push) {
        self.owner = owner
        self.isOnMain = isOnMain
        hasOwner = owner != nil
        self.push = push
    }

    /// The same subscriber before its first call.
    func anew() -> SubscriberMember {
        SubscriberMember(owner: owner, isOnMain: isOnMain, push)
    }

    /// Whether its owner is gone.
    var isOrphan: Bool { hasOwner && owner == nil }

    /// Makes the first call and those that came meanwhile.
    func start(
        from state: State?, at version: Version, of store: Store<BridgedState<State>>
    ) {
        since = version
        first = state
        if let state, phase.load(ordering: .acquiring) != .ended {
            store.callOut(as: DeliveryMark(first: version, inside: store.delivery)) {
                withUnsafePointer(to: state) { push(nil, $0) }
            }
        }
        while let late = nextOwn() { call(with: late, of: store) }
        // Those that others left.
        if backlog.withValue({ !$0.isEmpty }) {
            store.callWhenDelivering { [weak store] in
                if let store { self.catchUp(with: store) }
            }
        }
    }

    /// Takes a value; by the deliverer.
    @inline(__always)
    func take(
        _ old: UnsafePointer<State>?, _ new: UnsafePointer<State>, as mark: DeliveryMark,
        of store: Store<BridgedState<State>>
    ) {
        guard phase.load(ordering: .acquiring) == .settled else {
            return takeEarly(old, new, as: mark, of: store)
        }
        push(old, new)
    }

    /// Ends the calls; from any thread.
    package func end() {
        phase.store(.ended, ordering: .releasing)
    }

    private func takeEarly(
        _ old: UnsafePointer<State>?, _ new: UnsafePointer<State>, as mark: DeliveryMark,
        of store: Store<BridgedState<State>>
    ) {
        // What is replaced goes outside the lock.
        var skipped: Backlog<Values>.Late?
        let isStarting = backlog.withValue { backlog in
            guard phase.load(ordering: .acquiring) == .starting else { return false }
            skipped = backlog.add(
                Values(old: old?.pointee, new: new.pointee), as: mark,
                limit: store.waitingCommits
            ) { earlier, later in Values(old: earlier.old, new: later.new) }
            return true
        }
        withExtendedLifetime(skipped) {}
        guard !isStarting else { return }
        catchUp(with: store)
        guard phase.load(ordering: .acquiring) == .started, mark.version > since else { return }
        push(after: old?.pointee, new)
        pass(from: .started, to: .settled)
    }

    /// The next call that was left by this thread, which is starting it; when there is none, the right
    /// to call passes to the deliverer.
    private func nextOwn() -> Backlog<Values>.Late? {
        backlog.withValue { backlog in
            guard phase.load(ordering: .acquiring) == .starting else { return nil }
            guard let late = backlog.takeOwn() else {
                pass(from: .starting, to: .started)
                return nil
            }
            return late
        }
    }

    /// Makes the calls that were left while it was starting; by the deliverer.
    private func catchUp(with store: Store<BridgedState<State>>) {
        while phase.load(ordering: .acquiring) == .started,
            let late = backlog.withValue({ $0.take() })
        {
            call(with: late, of: store)
        }
    }

    private func call(
        with late: Backlog<Values>.Late, of store: Store<BridgedState<State>>
    ) {
        guard late.mark.version > since else { return }
        store.callOut(as: late.mark) {
            withUnsafePointer(to: late.call.new) { push(after: late.call.old, $0) }
        }
    }

    /// Makes a call that may be the next one after the first, whose old value is the first one.
    private func push(after old: State?, _ new: UnsafePointer<State>) {
        let before = first ?? old
        first = nil
        guard let before else { return push(nil, new) }
        withUnsafePointer(to: before) { push($0, new) }
    }

    /// Goes to the next phase, unless it was ended meanwhile.
    private func pass(from phase: Phase, to next: Phase) {
        _ = self.phase.compareExchange(
            expected: phase, desired: next, ordering: .acquiringAndReleasing)
    }
}

/// Where a subscriber stands.
private enum Phase: UInt8, AtomicRepresentable {
    /// The subscribing thread makes the first call; what is told meanwhile waits in the backlog.
    case starting
    /// The deliverer makes the calls of the backlog, and then the first one of a delivery; values up to
    /// `since` may still come.
    case started
    /// Deliveries call it.
    case settled
    /// Nobody calls it any more.
    case ended
}
