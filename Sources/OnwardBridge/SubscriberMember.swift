// SPDX-License-Identifier: MIT

internal import Onward
internal import Synchronization

/// One subscriber of a `SubscriberList`: when it may be called, and with what.
///
/// It passes through the cases of `Phase`. In each of them there is exactly one thread that may call:
/// who subscribes while it is starting, who delivers afterwards. So there are never two calls at a
/// time, and a member at rest costs a delivery one atomic load.
///
/// Invariant behind `@unchecked`: calls of `push`, `first` and `since` belong to the thread that may
/// call; the right passes on through `phase`, which is stored with release and loaded with acquire.
package final class SubscriberMember<State>: @unchecked Sendable {
    /// Takes the value before, nil at first, and the new one.
    package typealias Push =
        (_ old: UnsafePointer<State>?, _ new: UnsafePointer<State>) -> Void

    private struct Late {
        let old: State?
        let new: State
        let mark: DeliveryMark
    }

    private let phase = Atomic(Phase.starting)
    private let push: Push
    /// What was told while it was starting.
    private let backlog = Guarded<[Late]>([])
    private let hasOwner: Bool
    /// On whose behalf it is; the list keeps nobody alive.
    private weak var owner: AnyObject?
    /// The version at which it subscribed; what is older it never sees.
    private var since: Version = 0
    /// The value at which it subscribed, which is the old one in the next call.
    private var first: State?

    /// A subscriber that ends with its owner; nil for one that ends when it says so.
    package init(owner: AnyObject?, _ push: @escaping Push) {
        self.owner = owner
        hasOwner = owner != nil
        self.push = push
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
        while let late = nextLate() {
            guard late.mark.version > since else { continue }
            store.callOut(as: late.mark) {
                withUnsafePointer(to: late.new) { push(after: late.old, $0) }
            }
        }
    }

    /// Takes a value; by who delivers.
    @inline(__always)
    func take(
        _ old: UnsafePointer<State>?, _ new: UnsafePointer<State>, as mark: DeliveryMark
    ) {
        guard phase.load(ordering: .acquiring) == .settled else {
            return takeEarly(old, new, as: mark)
        }
        push(old, new)
    }

    /// Ends the calls; from any thread.
    package func end() {
        phase.store(.ended, ordering: .releasing)
    }

    private func takeEarly(
        _ old: UnsafePointer<State>?, _ new: UnsafePointer<State>, as mark: DeliveryMark
    ) {
        let isStarting = backlog.withValue { backlog in
            guard phase.load(ordering: .acquiring) == .starting else { return false }
            backlog.append(Late(old: old?.pointee, new: new.pointee, mark: mark))
            return true
        }
        guard !isStarting, phase.load(ordering: .acquiring) == .started, mark.version > since
        else { return }
        push(after: old?.pointee, new)
        pass(from: .started, to: .settled)
    }

    /// The next call that came while it was starting; when there is none, the right to call passes to
    /// who delivers.
    private func nextLate() -> Late? {
        backlog.withValue { backlog in
            guard phase.load(ordering: .acquiring) == .starting else { return nil }
            guard !backlog.isEmpty else {
                pass(from: .starting, to: .started)
                return nil
            }
            return backlog.removeFirst()
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
    /// Who subscribes makes the first call; what is told meanwhile waits in the backlog.
    case starting
    /// The next call is the first one of a delivery; values up to `since` may still come.
    case started
    /// Deliveries call it.
    case settled
    /// Nobody calls it any more.
    case ended
}
