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
    /// In the order in which they came, which is that of their deadlines.
    private var order: [EntryID] = []
    /// Those that came or were resolved since it was looked at what can be answered.
    private var changed: [EntryID] = []
    /// The replica's version then.
    private var lookedAt: Version = 0

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
        changed.append(request.id)
        return true
    }

    /// Notes how a request ends.
    mutating func resolve(_ id: EntryID, _ outcome: ProposalOutcome) {
        guard pending[id] != nil else { return }
        pending[id]?.outcome = outcome
        changed.append(id)
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
    /// - Complexity: O(requests) where the replica has another version, or one is late; else those that came or were
    ///   resolved since the last call.
    mutating func takeAnswers(
        _ requests: RequestWindow, _ version: Version, now: Duration
    ) -> [(id: EntryID, outcome: ProposalOutcome)] {
        var answers: [(id: EntryID, outcome: ProposalOutcome)] = []
        let isLate = order.first.flatMap { pending[$0] }.map { $0.deadline <= now } ?? false
        let mustSeeAll = isLate || version != lookedAt
        let candidates = mustSeeAll ? order : changed
        (changed, lookedAt) = ([], version)
        for id in candidates {
            guard let item = pending[id] else { continue }
            let answer: ProposalOutcome
            if case .done(let version) = requests.find(id, since: item.request.base) {
                answer = .accepted(version)
            } else if let outcome = item.outcome, Self.isShown(outcome, version) {
                answer = outcome
            } else if item.deadline <= now {
                answer = .unanswered
            } else {
                continue
            }
            answers.append((id, answer))
            pending[id] = nil
        }
        if !answers.isEmpty { order.removeAll { pending[$0] == nil } }
        return answers
    }

    private static func isShown(_ outcome: ProposalOutcome, _ version: Version) -> Bool {
        switch outcome {
        case .accepted(let seen), .refused(.outdated(let seen)): return seen <= version
        case .withheld, .refused, .unanswered: return true
        }
    }
}
