// SPDX-License-Identifier: MIT

/// The timelines of a store in the order in which they are asked, and which of them are travelled: a value.
struct TimelineChain {
    private(set) var attached: [AnyTimeline] = []
    private var travelled: Set<ObjectIdentifier> = []
    /// Changes when one of them changes its mind: an answer from an earlier turn does not count.
    private(set) var turn: UInt64 = 0

    var isEmpty: Bool { attached.isEmpty }

    /// The store is live while none of them is travelled.
    var state: TimelineState { travelled.isEmpty ? .live : .travelled }

    func contains(_ timeline: AnyTimeline) -> Bool { attached.contains { $0 === timeline } }

    /// Adds one behind the others.
    mutating func add(_ timeline: AnyTimeline) {
        attached.append(timeline)
        turn += 1
    }

    /// Removes one; false when it had already left.
    mutating func remove(_ timeline: AnyTimeline) -> Bool {
        guard contains(timeline) else { return false }
        attached.removeAll { $0 === timeline }
        travelled.remove(ObjectIdentifier(timeline))
        turn += 1
        return true
    }

    /// One of them changes its mind from here on; false when it had already left.
    @discardableResult
    mutating func reconsider(_ timeline: AnyTimeline, _ state: TimelineState? = nil) -> Bool {
        guard contains(timeline) else { return false }
        turn += 1
        switch state {
        case .travelled: travelled.insert(ObjectIdentifier(timeline))
        case .live: travelled.remove(ObjectIdentifier(timeline))
        case nil: break
        }
        return true
    }

    /// Removes all; returns them, to be released outside the lock.
    mutating func removeAll() -> [AnyTimeline] {
        defer {
            attached = []
            travelled = []
            turn += 1
        }
        return attached
    }
}

extension [AnyTimeline] {
    /// What they decide about an action: the first that withholds it has the last word.
    func decide(_ pending: PendingCommit) -> TimelineDecision {
        allSatisfy { $0.decide(pending) == .accept } ? .accept : .withhold
    }
}
