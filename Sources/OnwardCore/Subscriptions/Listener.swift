// SPDX-License-Identifier: MIT

/// What a store calls, until cancelled: a subscriber or a commit observer.
///
/// Who may touch what: `order` is set once, when it joins, and so may be `extras`; everything else here belongs
/// to the listener's own lock, which is never held while anything is called. The body that a subclass keeps
/// belongs to the calling thread, and once cancelled to the thread that found no call under way. That access is
/// exclusive follows from this; to check it at each use, here and in `Subscriber`, would make notifying one subscriber a
/// fifth slower.
@usableFromInline
package class Listener: @unchecked Sendable {
    /// The position among all listeners of the store, in the order in which they came.
    @usableFromInline @exclusivity(unchecked) private(set) final var order: UInt64 = 0

    private let lock = Lock()
    /// What few listeners have; kept apart, as a store may have many.
    ///
    /// Once it is there, it stays.
    @exclusivity(unchecked) final var extras: ListenerExtras?
    @exclusivity(unchecked) private var isCalling = false
    @exclusivity(unchecked) private var isCancelled = false
    /// Whether tasks wait for the end of the call.
    @exclusivity(unchecked) private var isAwaited = false

    init() {}

    /// Makes it a listener of a store; once, before anyone else knows it.
    final func join(order: UInt64) { self.order = order }

    /// The store's side that knows this listener, at least until it is cancelled.
    var host: (any SubscriberHost)? { nil }

    /// The newest commit that it has yet to be notified of, so that it may not be notified of changes between a
    /// value that is read now and the one it will be notified of; 0 when there is none.
    package func marked(_ locked: borrowing Locked) -> CommitVersion { 0 }

    /// Releases the body.
    func release() {}

    /// Takes the listener out of its store; returns what is to be let go of outside the lock.
    func leave(_ host: any SubscriberHost, _ locked: borrowing Locked) -> [Any?] { [] }

    /// Releases what belonged to the store's lock; by the thread that took the listener out, outside the
    /// lock.
    func hasLeft() {}

    /// Takes the right to call, for a call that no other thread makes at the same time; false when it was cancelled.
    ///
    /// The holder of the turn, the job of an actor and the thread that reads the commit log for an observer are
    /// each the only one.
    @inline(__always)
    final func begin(_ thread: UInt) -> Bool {
        lock.acquire(as: thread)
        let mayCall = !isCancelled
        if mayCall { isCalling = true }
        lock.release()
        return mayCall
    }

    /// Gives the right to call back.
    @inline(__always)
    final func end(_ thread: UInt) {
        lock.acquire(as: thread)
        isCalling = false
        let (wasCancelled, wasAwaited) = (isCancelled, isAwaited)
        lock.release()
        if wasCancelled || wasAwaited { endLast(mustRelease: wasCancelled) }
    }

    /// Releases a listener that was cancelled during its call, and resumes who waits for the end of the call.
    @inline(never)
    private func endLast(mustRelease: Bool) {
        var waiters: [CheckedContinuation<Void, Never>] = []
        lock.withLock {
            if let extras { swap(&waiters, &extras.waiters) }
            isAwaited = false
        }
        if mustRelease { release() }
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels: no call begins from here on.
    final func cancel() {
        let (left, mustRelease) = lock.withLock {
            defer { isCancelled = true }
            return (isCancelled ? nil : host, !isCancelled && !isCalling)
        }
        guard let left, left.isInsideReducer else {
            if mustRelease { release() }
            left?.remove(self)
            return
        }
        // What is released with a listener may use the store, which a reducer must not: it is released
        // later.
        let releases = DeferredReleases(others: left.takeOut(self))
        Task.detached { [self] in
            if mustRelease { release() }
            hasLeft()
            withExtendedLifetime(releases) {}
        }
    }

    /// What is released with a listener.
    ///
    /// Invariant behind `@unchecked`: nothing else refers to it any more, and nothing looks at it.
    private struct DeferredReleases: @unchecked Sendable {
        let others: [Any?]
    }

    /// Waits for the end of the call that is under way, if one is.
    final func rest() async {
        await withCheckedContinuation { continuation in
            let atRest = lock.withLock {
                guard isCalling else { return true }
                isAwaited = true
                // Not stored again: a subscriber that is not called in the plain way reads `extras` without the lock.
                if extras == nil { extras = ListenerExtras() }
                extras?.waiters.append(continuation)
                return false
            }
            if atRest { continuation.resume() }
        }
    }
}

/// What few listeners have besides what all of them have.
///
/// How it is called never changes once it took its place; the waiters belong to the listener's lock.
final class ListenerExtras: @unchecked Sendable {  // As said above.
    /// Where its calls wait; nil for a listener without isolation.
    let mailbox: Mailbox?
    let borrowedMailbox: Unmanaged<Mailbox>?
    /// The tasks that wait for the end of the call.
    var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ mailbox: Mailbox? = nil) {
        self.mailbox = mailbox
        borrowedMailbox = mailbox.map(Unmanaged.passUnretained)
    }
}
