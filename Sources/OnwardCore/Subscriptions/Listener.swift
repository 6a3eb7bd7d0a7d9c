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

    private typealias Queue = ListenerExtras.Queue

    /// What came during a call.
    private var queue: Queue? {
        @inline(__always) get { extras?.queue }
    }

    /// What a thread with something to notify of may do.
    enum Turn {
        /// Nothing: the listener was cancelled, or the thread that is calling it takes care of it.
        case none
        /// Make the call, then call ``Listener/end()``.
        case call
        /// Call ``Listener/end()``, which makes this call after those that came before it.
        case backlog
    }

    init() {}

    /// Makes it a listener of a store; once, before anyone else knows it.
    ///
    /// A listener that `starts` is being called by its maker, which then calls ``end()``.
    final func join(order: UInt64, starts: Bool = false) {
        self.order = order
        isCalling = starts
    }

    /// The store's side that knows this listener, at least until it is cancelled.
    var host: (any SubscriberHost)? { nil }

    /// The newest commit that waits to be notified with others, so that it may not be notified of changes between a
    /// value that is read now and the one it will be notified of; 0 when none does.
    package func held(_ locked: borrowing Locked) -> Version { 0 }

    /// Releases the body.
    func release() {}

    /// Takes the listener out of its store; returns what is to be let go of outside the lock.
    func leave(_ host: any SubscriberHost, _ locked: borrowing Locked) -> [Any?] { [] }

    /// Releases what belonged to the store's lock; by the thread that took the listener out, outside the
    /// lock.
    func hasLeft() {}

    /// Takes the right to call, for a call that no other thread makes at the same time.
    ///
    /// Such are those of observers, by the deliverer, and on actors; false when it was cancelled.
    final func begin() -> Bool {
        lock.withLock {
            if isCancelled { return false }
            isCalling = true
            return true
        }
    }

    /// Takes the right to call where nothing else is going on, which is nearly always; then
    /// ``endAlone(_:)`` gives it back.
    @inline(__always)
    final func beginAlone(_ thread: UInt) -> Bool {
        lock.acquire(as: thread)
        let isAlone = !isCancelled && !isCalling && queue == nil
        if isAlone { isCalling = true }
        lock.release()
        return isAlone
    }

    /// Gives the right to call back.
    @inline(__always)
    final func endAlone(_ thread: UInt) {
        lock.acquire(as: thread)
        let isAlone = !isCancelled && queue == nil
        if isAlone { isCalling = false }
        lock.release()
        if !isAlone { end() }
    }

    /// Takes the right to call, unless the first call is under way on another thread, or further out on
    /// this one; then `leave` adds the change to what waits for its end, and returns what is to be
    /// released.
    final func begin(
        orLeave leave: (inout Backlog<LateChange>) -> Backlog<LateChange>.Late?
    ) -> Turn {
        var skipped: Backlog<LateChange>.Late?
        let turn = lock.withLock {
            if isCancelled { return Turn.none }
            if isCalling || queue?.backlog.isEmpty == false {
                skipped = leave(&openQueue().backlog)
                defer { isCalling = true }
                return isCalling ? .none : .backlog
            }
            isCalling = true
            return .call
        }
        return withExtendedLifetime(skipped) { turn }
    }

    /// Gives the right to call back, after the calls that came before or meanwhile.
    final func end() {
        _ = end(onlyOwn: false)
    }

    /// Gives the right to make the first call back, after the calls that this thread left itself; true when
    /// others are left, for the deliverer.
    final func endFirst() -> Bool {
        end(onlyOwn: true)
    }

    /// Makes the calls that wait, all of them or those that this thread left; true when some are left.
    private func end(onlyOwn: Bool) -> Bool {
        // What a cancelled listener leaves uncalled is released after the lock.
        var rest: Queue?
        var mustRelease = false
        var isLeft = false
        while let (late, host) = lock.withLock({
            nextCall(onlyOwn, &rest, &mustRelease, &isLeft)
        }) {
            call(with: late, host)
        }
        if mustRelease { release() }
        for waiter in rest?.waiters ?? [] { waiter.resume() }
        return isLeft
    }

    /// The next call to make; gives the right to call back when there is none.
    private func nextCall(
        _ onlyOwn: Bool, _ rest: inout Queue?, _ mustRelease: inout Bool, _ isLeft: inout Bool
    ) -> (Backlog<LateChange>.Late, any SubscriberHost)? {
        if let queue, !isCancelled, let host {
            let late = onlyOwn ? queue.backlog.takeOwn() : queue.backlog.take()
            if let late { return (late, host) }
            isLeft = !queue.backlog.isEmpty
        }
        if !isLeft || isCancelled { rest = takeQueue() }
        isCalling = false
        mustRelease = isCancelled
        return nil
    }

    /// Makes a call that was due during the first call; by the holder of the right to call.
    func call(with late: Backlog<LateChange>.Late, _ host: any SubscriberHost) {}

    /// The queue, made when it is needed.
    private func openQueue() -> Queue {
        let open = extras?.queue ?? Queue()
        if let extras {
            // Not stored again: a subscriber that is not called in the plain way reads `extras` without the lock.
            extras.queue = open
        } else {
            let extras = ListenerExtras()
            extras.queue = open
            self.extras = extras
        }
        return open
    }

    @inline(never)
    private func takeQueue() -> Queue? { extras?.queue.take() }

    /// Cancels: no call begins from here on.
    final func cancel() {
        // What waits is released after the lock, too.
        var rest: Queue?
        let (left, mustRelease) = lock.withLock {
            defer { isCancelled = true }
            if !isCalling, extras != nil { rest = takeQueue() }
            return (isCancelled ? nil : host, !isCancelled && !isCalling)
        }
        guard let left, left.isInsideReducer else {
            if mustRelease { release() }
            left?.remove(self)
            return withExtendedLifetime(rest) {}
        }
        // What is released with a listener may use the store, which a reducer must not: it is released
        // later.
        let releases = DeferredReleases(others: left.takeOut(self), queue: rest)
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
        let queue: Queue?
    }

    /// Waits for the end of the call that is under way, if one is.
    final func rest() async {
        await withCheckedContinuation { continuation in
            let atRest = lock.withLock {
                guard isCalling else { return true }
                openQueue().waiters.append(continuation)
                return false
            }
            if atRest { continuation.resume() }
        }
    }
}
