// SPDX-License-Identifier: MIT

internal import DequeModule

/// What was delivered to a subscriber while its first call was under way: a pure machine.
///
/// Problem: the first call is made by the thread that subscribes. What others deliver meanwhile must come
/// after it, but that thread must not be kept to make their calls.
///
/// Strategy: the calls wait here, up to a limit, beyond which they join. The subscribing thread makes the
/// calls that it delivered itself, by dispatching from inside the first call. From the first call that
/// another thread left, all are made by the deliverer.
package struct Backlog<Call> {
    /// A call to be made later, as part of the delivery that brought it.
    package struct Late {
        package let call: Call
        package let mark: DeliveryMark
    }

    private var waiting = Deque<Late>()

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Adds a call, or joins it with the last one when `limit` of them wait; returns the previous one, to
    /// be released outside any lock.
    package mutating func add(
        _ call: Call, as mark: DeliveryMark, limit: Int, join: (_ earlier: Call, Call) -> Call
    ) -> Late? {
        guard waiting.count >= max(limit, 1), let last = waiting.popLast() else {
            waiting.append(Late(call: call, mark: mark))
            return nil
        }
        waiting.append(Late(call: join(last.call, call), mark: mark))
        return last
    }

    /// Takes the oldest call.
    package mutating func take() -> Late? { waiting.popFirst() }

    /// Takes the oldest call if the current thread delivered it.
    package mutating func takeOwn() -> Late? {
        waiting.first?.mark.thread == CurrentThread.id ? waiting.popFirst() : nil
    }
}

/// What few listeners have besides what all of them have.
///
/// How it is called never changes once it took its place; the queue belongs to the listener's lock.
final class ListenerExtras: @unchecked Sendable {  // As said above.
    /// Where its calls wait; nil for a listener without isolation.
    let mailbox: Mailbox?
    /// What came during a call; usually nil.
    var queue: Queue?

    init(_ mailbox: Mailbox? = nil) {
        self.mailbox = mailbox
    }

    /// What came during a call that is under way on another thread.
    final class Queue {
        /// What was delivered during the first call.
        var backlog = Backlog<LateChange>()
        /// The tasks that wait for the end of the call.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
}

/// A change that is notified after the delivery that brought it.
struct LateChange: Sendable {
    let change: Change
    /// Says whether changes that were joined changed anything; nil for a single one.
    var isSame: Change.IsSame?
}
