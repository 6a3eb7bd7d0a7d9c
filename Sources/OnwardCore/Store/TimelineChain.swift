// SPDX-License-Identifier: MIT

/// The timelines of a store in the order in which they are asked, and which of them are travelled: a value.
struct TimelineChain {
    private(set) var judges: [TimelineJudge] = []
    private var travelled: Set<ObjectIdentifier> = []
    /// Changes when one of them changes its mind: an answer from an earlier turn does not count.
    private(set) var turn: UInt64 = 0

    var isEmpty: Bool { judges.isEmpty }

    /// The store is live while none of them is travelled.
    var state: TimelineState { travelled.isEmpty ? .live : .travelled }

    func contains(_ judge: TimelineJudge) -> Bool { judges.contains { $0 === judge } }

    /// Adds one behind the others.
    mutating func add(_ judge: TimelineJudge) {
        judges.append(judge)
        turn += 1
    }

    /// Removes one; false when it had already left.
    mutating func remove(_ judge: TimelineJudge) -> Bool {
        guard contains(judge) else { return false }
        judges.removeAll { $0 === judge }
        travelled.remove(ObjectIdentifier(judge))
        turn += 1
        return true
    }

    /// One of them changes its mind from here on; false when it had already left.
    @discardableResult
    mutating func reconsider(_ judge: TimelineJudge, _ state: TimelineState? = nil) -> Bool {
        guard contains(judge) else { return false }
        turn += 1
        switch state {
        case .travelled: travelled.insert(ObjectIdentifier(judge))
        case .live: travelled.remove(ObjectIdentifier(judge))
        case nil: break
        }
        return true
    }

    /// Removes all; returns them, to be released outside the lock.
    mutating func removeAll() -> [TimelineJudge] {
        defer {
            judges = []
            travelled = []
            turn += 1
        }
        return judges
    }
}

extension [TimelineJudge] {
    /// What they decide about an action: the first that withholds it has the last word.
    func judge(_ proposal: Proposal) -> Verdict {
        allSatisfy { $0.judge(proposal) == .accept } ? .accept : .withhold
    }
}
