// SPDX-License-Identifier: MIT

/// Someone whom a store calls, until cancelled: a subscriber or a commit observer.
///
/// Who may touch what: `order` is set once, when it joins; everything else here belongs to the
/// listener's own lock, which is never held while anything is called. The body that a subclass keeps
/// belongs to who is calling, and once cancelled to who found no call under way.
@usableFromInline
class Listener: @unchecked Sendable {
    /// The position among all listeners of the store, in the order in which they came.
    private(set) final var order: UInt64 = 0

    private let lock = Lock()
    /// The engine that knows this listener; nil once it left.
    private var engine: Engine?
    /// What came during a call; nil mostly, as a store may have many listeners.
    private var queue: Queue?
    private var isCalling = false
    private var isCancelled = false

    /// What came during a call that is under way on another thread.
    private final class Queue {
        /// Calls that were due meanwhile.
        var calls: [@Sendable () -> Void] = []
        /// Who waits for the end of the calls.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    init() {}

    /// Makes it a listener of an engine; once, before anyone else knows it.
    ///
    /// One that `starts` is being called by who made it, who then says ``end()``.
    final func join(_ engine: Engine, order: UInt64, starts: Bool = false) {
        self.engine = engine
        self.order = order
        isCalling = starts
    }

    /// Whether a change waits to be told with others, so that it may not hear of changes between a
    /// value that is read now and the one it will be told.
    ///
    /// Under the engine's lock.
    var isStale: Bool { false }

    /// Lets go of the body.
    func release() {}

    /// Takes the listener out of the engine; returns what is to be let go of outside the lock.
    ///
    /// Called under the engine's lock.
    func leave(_ engine: Engine) -> [Any?] { [] }

    /// Takes the right to call; false when the listener was cancelled, or when another thread is
    /// calling it, which will make the call in `letter` as well.
    final func begin(orLeave letter: () -> (@Sendable () -> Void)?) -> Bool {
        lock.withLock {
            if isCancelled { return false }
            if isCalling {
                if let letter = letter() { openQueue().calls.append(letter) }
                return false
            }
            isCalling = true
            return true
        }
    }

    /// Gives the right to call back, after the calls that came meanwhile.
    final func end() {
        // What a cancelled listener leaves uncalled is let go of after the lock.
        var rest: Queue?
        var mustRelease = false
        while let next = lock.withLock({ nextCall(&rest, &mustRelease) }) { next() }
        if mustRelease { release() }
        for waiter in rest?.waiters ?? [] { waiter.resume() }
    }

    /// The next call to make; gives the right to call back when there is none.
    private func nextCall(_ rest: inout Queue?, _ mustRelease: inout Bool)
        -> (@Sendable () -> Void)?
    {
        if !isCancelled, let queue, !queue.calls.isEmpty { return queue.calls.removeFirst() }
        swap(&rest, &queue)
        isCalling = false
        mustRelease = isCancelled
        return nil
    }

    /// The queue, made when it is needed.
    private func openQueue() -> Queue {
        let open = queue ?? Queue()
        queue = open
        return open
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
                openQueue().waiters.append(continuation)
                return false
            }
            if atRest { continuation.resume() }
        }
    }
}
