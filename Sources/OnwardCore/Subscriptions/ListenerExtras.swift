// SPDX-License-Identifier: MIT

/// What few listeners have besides what all of them have.
///
/// How it is called never changes once it took its place; the queue belongs to the listener's lock.
final class ListenerExtras: @unchecked Sendable {  // As said above.
    /// Where its calls wait; nil for a listener without isolation.
    let mailbox: Mailbox?
    /// Makes pauses between the calls.
    let throttle: Throttle?
    /// Where changes wait that are delivered as one: of a subscriber that wants only the newest value, or
    /// that pauses on an actor; nil for one that wants every change.
    let coalescer: ChangeCoalescer?
    /// What came during a call; usually nil.
    var queue: Queue?

    init(
        _ mailbox: Mailbox? = nil, _ throttle: Throttle? = nil, _ coalescer: ChangeCoalescer? = nil
    ) {
        self.mailbox = mailbox
        self.throttle = throttle
        self.coalescer = coalescer
    }

    /// What came during a call that is under way on another thread.
    final class Queue {
        /// What was delivered during the first call.
        var backlog = Backlog<LateChange>()
        /// Whether a call was due apart from a change.
        var isDue = false
        /// The tasks that wait for the end of the call.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
}
