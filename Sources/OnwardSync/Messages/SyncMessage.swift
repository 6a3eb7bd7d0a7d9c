// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// What a client has proposed and wants the server to accept.
package struct Proposal: Sendable, Hashable, Codable {
    package var id: ProposalID
    package var action: SyncAction

    package init(id: ProposalID, action: SyncAction) {
        self.id = id
        self.action = action
    }
}

/// The proposals of one run that a client still waits for.
package struct PendingRun: Sendable, Hashable, Codable {
    package var client: ClientID
    package var first: UInt64
    package var last: UInt64

    package init(client: ClientID, first: UInt64, last: UInt64) {
        self.client = client
        self.first = first
        self.last = last
    }
}

/// A message from a client.
package enum UpMessage: Sendable, Hashable, Codable {
    /// Begins a session; answers to earlier ones don't count any more.
    ///
    /// `log` and `version` say what the client has; without a log it wants a whole state.
    case hello(
        session: UInt64, fingerprint: FeatureFingerprint, log: UInt64?, version: UInt64,
        runs: [PendingRun])
    /// Says how much the client has and what it proposes, in its order, after another proposal if
    /// that one may not have arrived.
    ///
    /// With `again`, what was sent after `base` may be lost.
    case propose(
        session: UInt64, log: UInt64, base: UInt64, after: ProposalID?, again: Bool,
        proposals: [Proposal])
}

/// Why a proposal is refused, as the server says it.
package struct RefusedProposal: Sendable, Hashable, Codable {
    package var number: UInt64
    /// Nil if the reason is no longer known.
    package var reason: SyncRefusal?

    package init(number: UInt64, reason: SyncRefusal?) {
        self.number = number
        self.reason = reason
    }
}

/// How far a server's log has decided what a run proposed.
package struct DecidedRun: Sendable, Hashable, Codable {
    package var client: ClientID
    /// The last number that is in the log.
    package var number: UInt64
    /// Which of the 64 numbers up to that one are in the log: the lowest bit is the last one.
    package var accepted: UInt64

    package init(client: ClientID, number: UInt64, accepted: UInt64) {
        self.client = client
        self.number = number
        self.accepted = accepted
    }

    /// Whether a number is in the log; nil if that isn't known any more.
    func accepts(_ other: UInt64) -> Bool? {
        guard other <= number else { return nil }
        let distance = number - other
        return distance < 64 ? accepted & (1 << distance) != 0 : nil
    }
}

/// One entry of the server's log, as a client gets it.
package enum LoggedItem: Sendable, Hashable, Codable {
    /// What the client itself proposed, with what the server gave its reducers.
    case own(ProposalID, time: Timestamp?, author: String?)
    /// Somebody else's action, with its stamp.
    case other(SyncAction)
}

/// A message from a server.
package enum DownMessage: Sendable, Hashable, Codable {
    /// The session has begun; entries or a state follow.
    case welcome(session: UInt64, log: UInt64, version: UInt64)
    /// A whole state, and what of the client's runs it includes.
    case snapshot(
        session: UInt64, log: UInt64, version: UInt64, schema: Int, state: [UInt8],
        decided: [DecidedRun])
    /// The entries of the log from a version on.
    case entries(session: UInt64, log: UInt64, from: UInt64, items: [LoggedItem])
    /// What has become of the client's view, whose version was at least `from`, up to a version; without
    /// `from`, the whole view.
    case changes(
        session: UInt64, log: UInt64, from: UInt64?, version: UInt64, [SyncChange],
        decided: [DecidedRun])
    /// What of one run is refused.
    case refused(session: UInt64, log: UInt64, client: ClientID, [RefusedProposal])
    /// Nothing is decided before so many milliseconds have passed.
    case busy(session: UInt64, log: UInt64, milliseconds: UInt64)
    /// The server knows no such session: the client has to begin one.
    case unknown(session: UInt64)
    /// The server can't do what the client needs of it.
    case failed(session: UInt64, SyncProblem)

    /// The session that it belongs to.
    package var session: UInt64 {
        switch self {
        case .welcome(let session, _, _), .snapshot(let session, _, _, _, _, _),
            .entries(let session, _, _, _), .refused(let session, _, _, _),
            .changes(let session, _, _, _, _, _), .busy(let session, _, _), .unknown(let session),
            .failed(let session, _):
            session
        }
    }

    /// The same message to another session.
    func inSession(_ session: UInt64) -> DownMessage {
        switch self {
        case .welcome(_, let log, let version):
            .welcome(session: session, log: log, version: version)
        case .snapshot(_, let log, let version, let schema, let state, let decided):
            .snapshot(
                session: session, log: log, version: version, schema: schema, state: state,
                decided: decided)
        case .entries(_, let log, let from, let items):
            .entries(session: session, log: log, from: from, items: items)
        case .changes(_, let log, let from, let version, let changes, let decided):
            .changes(
                session: session, log: log, from: from, version: version, changes, decided: decided)
        case .refused(_, let log, let client, let proposals):
            .refused(session: session, log: log, client: client, proposals)
        case .busy(_, let log, let milliseconds):
            .busy(session: session, log: log, milliseconds: milliseconds)
        case .unknown: .unknown(session: session)
        case .failed(_, let problem): .failed(session: session, problem)
        }
    }

    /// The log of the server that has sent it; nil if that server knows no session.
    ///
    /// A server that starts again has another one, and doesn't know what was said before.
    package var log: UInt64? {
        switch self {
        case .welcome(_, let log, _), .snapshot(_, let log, _, _, _, _),
            .entries(_, let log, _, _), .changes(_, let log, _, _, _, _),
            .refused(_, let log, _, _), .busy(_, let log, _):
            log
        case .unknown, .failed: nil
        }
    }
}
