// SPDX-License-Identifier: MIT

internal import DequeModule

/// The calls that wait for an actor, and whose turn it is there: a pure machine.
///
/// Problem: while others post without end, an actor that emptied its mailbox would do nothing else.
///
/// Strategy: turns. A turn that came by a hop makes no more than ``turn`` calls; then it hops again,
/// so that other work of the actor gets in between. A turn that a dispatch on the actor asked for makes
/// the calls that wait at that moment, so that the dispatch is notified when it returns; what its own calls dispatch
/// there is part of it.
struct ActorCallQueue<Call> {
    /// How many calls are made after a hop.
    static var turn: Int { 64 }

    /// What the actor does next.
    enum Step {
        case make(Call)
        /// Lets other work of the actor in, and comes back by a hop, which may be on its way.
        case hop(isOnItsWay: Bool)
        /// Stops; there is nothing left.
        case rest
    }

    private enum Turn {
        case none
        /// A dispatch on the actor asked for it.
        case asked
        case hopped
    }

    private var waiting = Deque<Call>()
    private var currentTurn = Turn.none
    /// Whether a hop is on its way.
    private var isHopping = false
    /// How many more calls the turn makes.
    private var left = 0
    /// How many were taken, so that a call that waits has a position.
    private var taken = 0
    /// Where the last call of a subscriber stands that came while the limit was reached, by the subscriber.
    private var crowded: [UInt64: Int] = [:]

    /// How many wait.
    var count: Int { waiting.count }

    /// Adds a call; true when this made the mailbox busy.
    ///
    /// When `limit` calls wait it is joined with the last one of its subscriber that came then, if there is one and
    /// `join` makes one of both; `replaced` gets what is to be released.
    mutating func post(
        _ call: Call, of subscriber: UInt64, limit: Int, replacing replaced: inout Call?,
        join: (_ earlier: Call, Call) -> Call?
    ) -> Bool {
        let isCrowded = waiting.count >= limit
        if isCrowded, let position = crowded[subscriber], position >= taken {
            let earlier = waiting[position - taken]
            if let joined = join(earlier, call) {
                waiting[position - taken] = joined
                replaced = earlier
                return false
            }
        }
        if isCrowded {
            crowded[subscriber] = taken + waiting.count
        } else if !crowded.isEmpty {
            crowded[subscriber] = nil
        }
        defer { waiting.append(call) }
        return waiting.isEmpty && currentTurn == .none
    }

    /// Whether a hop to the actor is needed.
    mutating func mustHop() -> Bool {
        guard !isHopping, currentTurn == .none, !waiting.isEmpty else { return false }
        isHopping = true
        return true
    }

    /// Begins a turn for a delivery on the actor; nil inside a turn, else whether the actor may be called
    /// directly in it, as nothing waits.
    mutating func beginDirectTurn() -> Bool? {
        guard currentTurn == .none else { return nil }
        currentTurn = .asked
        left = waiting.count
        return waiting.isEmpty
    }

    /// Begins a turn for a dispatch on the actor; false inside a turn, which gets longer, or when there
    /// is nothing to call.
    mutating func beginTurn() -> Bool {
        if currentTurn == .hopped || waiting.isEmpty { return false }
        defer { currentTurn = .asked }
        left = waiting.count
        return currentTurn == .none
    }

    /// Begins the turn that a hop came for; false when a dispatch on the actor came before it.
    mutating func beginTurnAfterHop() -> Bool {
        isHopping = false
        guard currentTurn == .none, !waiting.isEmpty else { return false }
        currentTurn = .hopped
        left = min(waiting.count, Self.turn)
        return true
    }

    /// What the actor does next in a turn.
    mutating func next() -> Step {
        if left > 0, let call = waiting.popFirst() {
            left -= 1
            taken += 1
            return .make(call)
        }
        currentTurn = .none
        if waiting.isEmpty {
            if !crowded.isEmpty { crowded = [:] }
            return .rest
        }
        defer { isHopping = true }
        return .hop(isOnItsWay: isHopping)
    }

    /// Gives away what waits, as it will never be called; nothing during a turn.
    mutating func takeContents() -> Deque<Call> {
        guard currentTurn == .none else { return [] }
        defer {
            waiting = []
            crowded = [:]
        }
        return waiting
    }
}
