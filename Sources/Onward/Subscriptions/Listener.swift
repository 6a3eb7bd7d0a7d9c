// SPDX-License-Identifier: MIT

/// Someone whom a store calls, until cancelled: a subscriber or a commit observer.
///
/// Who may touch what: `order` and `since` never change; everything else here belongs to the
/// listener's own lock, which is never held while anything is called. The body that a subclass keeps
/// belongs to who is calling, and once cancelled to who found no call under way.
class Listener: @unchecked Sendable {
    /// The position among all listeners of the store, in the order in which they came.
    final let order: UInt64
    /// The version at which the listener came; commits up to it are not told.
    final let since: Version

    private let lock = Lock()
    /// The engine that knows this listener; nil once it left.
    private var engine: Engine?
    private var isCalling: Bool
    private var isCancelled = false
    /// Calls that came while the first one was under way; nil after it.
    private var backlog: [@Sendable () -> Void]?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// A listener; one that `starts` is called by who made it, until it says ``end()``.
    init(order: UInt64, since: Version, engine: Engine, starts: Bool = false) {
        self.order = order
        self.since = since
        self.engine = engine
        isCalling = starts
        backlog = starts ? [] : nil
    }

    /// Lets go of the body.
    func release() {}

    /// Takes the listener out of the engine.
    ///
    /// Called under the engine's lock.
    func leave(_ engine: Engine) {}

    /// Takes the right to call; false when the listener was cancelled, or when its first call is
    /// still under way and `letter` was left for later.
    final func begin(orLeave letter: () -> @Sendable () -> Void) -> Bool {
        lock.withLock {
            if isCancelled { return false }
            if isCalling {
                backlog?.append(letter())
                return false
            }
            isCalling = true
            return true
        }
    }

    /// Gives the right to call back; before that, makes the calls that came during the first one.
    final func end() {
        while true {
            var next: (@Sendable () -> Void)?
            // What a cancelled subscriber leaves uncalled is let go of after the lock.
            var left: [@Sendable () -> Void]?
            var resumed: [CheckedContinuation<Void, Never>] = []
            let mustRelease = lock.withLock {
                if !isCancelled, backlog?.isEmpty == false {
                    next = backlog?.removeFirst()
                    return false
                }
                swap(&left, &backlog)
                swap(&resumed, &waiters)
                isCalling = false
                return isCancelled
            }
            if let next {
                next()
                continue
            }
            if mustRelease { release() }
            for waiter in resumed { waiter.resume() }
            return
        }
    }

    /// Cancels: no call begins from here on.
    final func cancel() {
        let (left, mustRelease) = lock.withLock {
            defer {
                isCancelled = true
                engine = nil
            }
            return (engine, !isCancelled && !isCalling)
        }
        if mustRelease { release() }
        left?.remove(self)
    }

    /// Waits for the end of the call that is under way, if one is.
    final func rest() async {
        await withCheckedContinuation { continuation in
            let atRest = lock.withLock {
                guard isCalling else { return true }
                waiters.append(continuation)
                return false
            }
            if atRest { continuation.resume() }
        }
    }
}
