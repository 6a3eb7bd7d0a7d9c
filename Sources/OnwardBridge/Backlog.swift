// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// What was delivered to a subscriber while its first call was under way: a pure machine.
///
/// Problem: the first call is made by the thread that subscribes. What others deliver meanwhile must come
/// after it, but that thread must not be kept to make their calls.
///
/// Strategy: the calls wait here, up to a limit, beyond which they join. The subscribing thread makes the
/// calls that it delivered itself, by dispatching from inside the first call. From the first call that
/// another thread left, all are made by the deliverer.
struct Backlog<Call> {
    /// A call to be made later, as part of the delivery that brought it.
    struct Late {
        let call: Call
        let mark: DeliveryMark
    }

    private var waiting = Deque<Late>()

    init() {}

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Adds a call, or joins it with the last one when `limit` of them wait; returns the previous one, to
    /// be released outside any lock.
    mutating func add(
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
    mutating func take() -> Late? { waiting.popFirst() }

    /// Takes the oldest call if the current thread delivered it.
    mutating func takeOwn() -> Late? {
        waiting.first?.mark.thread == CurrentThread.id ? waiting.popFirst() : nil
    }
}
