// SPDX-License-Identifier: MIT

internal import DequeModule

/// What waits to be notified on the main actor, in order: a pure machine.
///
/// Only the thread that delivers adds; the main actor takes. A hop is a task on its way to the main
/// actor; there is never more than one, and none while the main actor takes anyway.
struct MainTurns<Turn> {
    /// What to do after a turn.
    enum Step {
        /// Make this one.
        case make(Turn)
        /// Continue later; true when a hop has to be sent for that.
        case later(mustHop: Bool)
        /// Nothing waits any more.
        case rest
    }

    private var waiting = Deque<Turn>()
    private var isTaking = false
    private var isHopping = false
    /// How many may still be made before others get the main actor.
    private var left = 0

    var count: Int { waiting.count }
    /// Whether nothing waits and nothing is being made.
    var isIdle: Bool { waiting.isEmpty && !isTaking }

    /// Adds a turn; true when it is the first one.
    mutating func add(_ turn: Turn) -> Bool {
        defer { waiting.append(turn) }
        return isIdle
    }

    /// Joins the last turn with a newer one; false, and nothing done, when fewer than `limit` wait.
    mutating func join(limit: Int, _ body: (inout Turn) -> Bool) -> Bool {
        guard count >= max(limit, 1) else { return false }
        return body(&waiting[count - 1])
    }

    /// Whether to send a hop for what was added.
    mutating func mustHop() -> Bool {
        guard !isTaking, !isHopping, count > 0 else { return false }
        isHopping = true
        return true
    }

    /// Begins to take what waits at this moment; false when that is under way, or nothing waits.
    mutating func open(afterHop: Bool) -> Bool {
        if afterHop { isHopping = false }
        guard !isTaking, count > 0 else { return false }
        isTaking = true
        // A dispatch on the main actor delivers all that waits; after a hop, others get a turn.
        left = afterHop ? 64 : count
        return true
    }

    /// The next step of the turn that was opened.
    mutating func next() -> Step {
        guard !waiting.isEmpty else {
            isTaking = false
            return .rest
        }
        guard left > 0 else {
            isTaking = false
            return .later(mustHop: mustHop())
        }
        left -= 1
        return .make(waiting.removeFirst())
    }
}
