// SPDX-License-Identifier: MIT

/// The gates of a store in the order in which they are asked, and which of them are travelled: a value.
struct CommitGateChain {
    private(set) var attached: [AnyCommitGate] = []
    private var travelled: Set<ObjectIdentifier> = []
    /// Changes when one of them changes its mind: an answer from an earlier turn does not count.
    private(set) var turn: UInt64 = 0

    var isEmpty: Bool { attached.isEmpty }

    /// The store is live while none of them is travelled.
    var state: CommitGateState { travelled.isEmpty ? .live : .travelled }

    func contains(_ gate: AnyCommitGate) -> Bool { attached.contains { $0 === gate } }

    /// Adds one behind the others.
    mutating func add(_ gate: AnyCommitGate) {
        attached.append(gate)
        turn += 1
    }

    /// Removes one; false when it had already left.
    mutating func remove(_ gate: AnyCommitGate) -> Bool {
        guard contains(gate) else { return false }
        attached.removeAll { $0 === gate }
        travelled.remove(ObjectIdentifier(gate))
        turn += 1
        return true
    }

    /// One of them changes its mind from here on; false when it had already left.
    @discardableResult
    mutating func reconsider(_ gate: AnyCommitGate, _ state: CommitGateState? = nil) -> Bool {
        guard contains(gate) else { return false }
        turn += 1
        switch state {
        case .travelled: travelled.insert(ObjectIdentifier(gate))
        case .live: travelled.remove(ObjectIdentifier(gate))
        case nil: break
        }
        return true
    }

    /// Removes all; returns them, to be released outside the lock.
    mutating func removeAll() -> [AnyCommitGate] {
        defer {
            attached = []
            travelled = []
            turn += 1
        }
        return attached
    }
}

extension [AnyCommitGate] {
    /// What they decide about an action: the first that withholds it has the last word.
    func decide(_ pending: PendingCommit) -> CommitGateDecision {
        allSatisfy { $0.decide(pending) == .accept } ? .accept : .withhold
    }
}
