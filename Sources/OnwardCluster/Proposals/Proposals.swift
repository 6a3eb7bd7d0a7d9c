// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The requests made at this node that aren't answered yet.
///
/// A request is answered when its outcome is known *and* this node's replica has it: whoever made
/// it finds its own writes. While nobody answers, it is sent again, to whoever owns the store then;
/// its id prevents it from being done twice.
struct Proposals: Sendable {
    private struct Pending {
        let request: Request
        let deadline: Duration
        var nextSend: Duration
        var outcome: ProposalOutcome?
    }

    private var pending: [EntryID: Pending] = [:]
    /// In the order in which they were made, which is that of their deadlines.
    private var order: [EntryID] = []
    /// Those that were made or resolved since the last check for answers.
    private var changed: [EntryID] = []
    /// The replica's version at that time.
    private var lookedAt: CommitVersion = 0

    var count: Int { pending.count }
    var isEmpty: Bool { pending.isEmpty }

    /// Adds a request, to be sent now.
    ///
    /// - Returns: False for a request that is already waiting.
    mutating func add(_ request: Request, until deadline: Duration, resendAt nextSend: Duration)
        -> Bool
    {
        guard pending[request.id] == nil else { return false }
        pending[request.id] = Pending(request: request, deadline: deadline, nextSend: nextSend)
        order.append(request.id)
        changed.append(request.id)
        return true
    }

    /// Notes the outcome of a request.
    mutating func resolve(_ id: EntryID, _ outcome: ProposalOutcome) {
        guard pending[id] != nil else { return }
        pending[id]?.outcome = outcome
        changed.append(id)
    }

    /// Makes all unanswered requests be sent again at once.
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

    /// Removes the requests that can be answered.
    ///
    /// - Parameters:
    ///   - requests: The requests that the replica has.
    ///   - version: The replica's version.
    ///   - now: The time, for deadlines.
    /// - Returns: Each request with its outcome, in the order in which they were made.
    /// - Complexity: O(requests) if the replica has another version, or one is late; otherwise
    ///   O(those made or resolved since the last call).
    mutating func takeAnswers(
        _ requests: RequestWindow, _ version: CommitVersion, now: Duration
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

    private static func isShown(_ outcome: ProposalOutcome, _ version: CommitVersion) -> Bool {
        switch outcome {
        case .accepted(let seen), .refused(.outdated(let seen)): return seen <= version
        case .withheld, .refused, .unanswered: return true
        }
    }
}
