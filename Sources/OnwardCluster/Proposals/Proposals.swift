// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The requests that came to this node and aren't answered yet.
///
/// One is answered when its outcome is known *and* this node's replica has it: whoever asked finds its own
/// writes. While nobody answers it is sent again, to whoever owns the store then; its id keeps it from being
/// done twice.
struct Proposals: Sendable {
    private struct Pending {
        let request: Request
        let deadline: Duration
        var nextSend: Duration
        var outcome: ProposalOutcome?
    }

    private var pending: [EntryID: Pending] = [:]
    /// In the order in which they came.
    private var order: [EntryID] = []

    var count: Int { pending.count }
    var isEmpty: Bool { pending.isEmpty }

    /// Notes a request, to be sent now.
    ///
    /// - Returns: False for one that waits already.
    mutating func add(_ request: Request, until deadline: Duration, resendAt nextSend: Duration)
        -> Bool
    {
        guard pending[request.id] == nil else { return false }
        pending[request.id] = Pending(request: request, deadline: deadline, nextSend: nextSend)
        order.append(request.id)
        return true
    }

    /// Notes how a request ends.
    mutating func resolve(_ id: EntryID, _ outcome: ProposalOutcome) {
        pending[id]?.outcome = outcome
    }

    /// Has all that nobody has answered sent again at once.
    mutating func sendAgain(_ now: Duration) {
        for id in order { pending[id]?.nextSend = now }
    }

    /// The requests that are to be sent, again or for the first time.
    mutating func due(_ now: Duration, every interval: Duration) -> [Request] {
        var due: [Request] = []
        for id in order {
            guard let item = pending[id], item.outcome == nil, item.nextSend <= now else {
                continue
            }
            due.append(item.request)
            pending[id]?.nextSend = now + interval
        }
        return due
    }

    /// Takes out what can be answered.
    ///
    /// - Parameters:
    ///   - requests: The requests that the replica has.
    ///   - version: The replica's version.
    ///   - now: The time, for limits.
    /// - Returns: Each request with its outcome, in the order in which they came.
    mutating func takeAnswers(
        _ requests: RequestWindow, _ version: Version, now: Duration
    ) -> [(id: EntryID, outcome: ProposalOutcome)] {
        var answers: [(id: EntryID, outcome: ProposalOutcome)] = []
        for id in order {
            guard let item = pending[id] else { continue }
            if case .done(let version) = requests.find(id, since: item.request.base) {
                answers.append((id, .accepted(version)))
            } else if let outcome = item.outcome, Self.isShown(outcome, version) {
                answers.append((id, outcome))
            } else if item.deadline <= now {
                answers.append((id, .unanswered))
            }
        }
        guard !answers.isEmpty else { return [] }
        for (id, _) in answers { pending[id] = nil }
        order.removeAll { pending[$0] == nil }
        return answers
    }

    private static func isShown(_ outcome: ProposalOutcome, _ version: Version) -> Bool {
        switch outcome {
        case .accepted(let seen), .refused(.outdated(let seen)): return seen <= version
        case .withheld, .refused, .unanswered: return true
        }
    }
}
