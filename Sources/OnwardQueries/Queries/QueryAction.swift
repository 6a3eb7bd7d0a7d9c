// SPDX-License-Identifier: MIT

public import Onward

/// What happens to a ``QueryCache``: what is wanted, what was asked, and what the server answered.
///
/// An app dispatches ``refetch(_:)``, ``prefetch(_:)`` and ``set(_:_:at:)``; ``Fetch`` dispatches
/// the others. Without an address, an action reaches every cache of the query.
public enum QueryAction<Q: Query>: Action, Equatable, Codable {
    /// These keys are wanted, and no others, apart from those that a handle holds.
    case wanted([Q], at: Timestamp)
    /// A request was sent, or sent again by a retry.
    case asked(Q, request: Int, at: Timestamp)
    /// The server answered a request.
    case answered(Q, request: Int, Q.Answer, at: Timestamp)
    /// The server answered a request of a query whose answers are kept in memory only.
    case received(Q, request: Int, TransientAnswer<Q.Answer>, at: Timestamp)
    /// A request failed, with its last attempt.
    case failed(Q, request: Int, Q.Failure, at: Timestamp)
    /// Time has passed: answers become stale, are polled again, or are dropped.
    case elapsed(at: Timestamp)
    /// The user returned after answers had become too old, which is found out only now, as for a
    /// program that slept.
    case returned(at: Timestamp)
    /// Asks for a key again, however fresh its answer is.
    case refetch(Q)
    /// Asks for a key that will be wanted soon, unless its answer is fresh.
    case prefetch(Q)
    /// Stores an answer that the app has from elsewhere; ignored for a transient query, as it is in
    /// the log.
    case set(Q, Q.Answer, at: Timestamp)
    /// A handle of a process began to want a key; see ``QueryHandle``.
    case held(Q, by: UInt64)
    /// A handle of a process was released.
    case released(Q, by: UInt64)
    /// The handles hold other keys than before, or a logout has emptied the cache.
    case heldChanged(at: Timestamp)
    /// The store began to run, without the handles of these earlier processes.
    case started(without: [UInt64])

    /// The name of the query.
    public static var actionName: String { Q.name }
}

/// An answer that is written nowhere: encoded, it says only that there was one.
public struct TransientAnswer<Answer: Equatable & Sendable>: Equatable, Codable, Sendable {
    /// The answer; nil once it was read from a journal or a report.
    public let value: Answer?

    /// Creates an answer that is kept in memory only.
    public init(_ value: Answer) { self.value = value }

    /// Reads that there was an answer.
    public init(from decoder: any Decoder) throws { value = nil }

    /// Writes that there was an answer.
    public func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: NoKeys.self)
    }

    private enum NoKeys: CodingKey {}
}

/// What happens to all caches and outboxes of a store; dispatch it without an address.
public enum ServerDataAction: Action, Equatable, Codable {
    /// Answers with one of these tags are stale, and asked for again where they are wanted.
    case invalidated([QueryTag])
    /// The user returned to the app: stale and failed answers that are wanted are asked for again.
    case returned
    /// Whether the app is in sight; while it is not, nothing is polled.
    case inSight(Bool)
    /// Whether there is a network; while there is none, nothing is sent.
    ///
    /// It is part of the state that is kept. So an app that says it says it at each launch too:
    /// one that was ended without a network would send nothing until it hears of one.
    case online(Bool)
    /// The user logged out: caches, overlays and outboxes are emptied, and requests cancelled.
    case loggedOut

    /// The name in logs.
    public static var actionName: String { "serverData" }
}
