// SPDX-License-Identifier: MIT

/// How much a client and a server send, keep and wait for.
///
/// Both sides need the same limits of messages: what is larger is refused. Except for ``pending``, ``history`` and
/// ``refusals``, each is at least 1, numbers of bytes 4,096, times a millisecond: a lower one is a `ProgrammerError` of
/// the kind `unusableSyncLimit`, and the least one is taken.
public struct SyncLimits: Sendable, Hashable {
    /// The maximum number of bytes in a message that is not a whole state.
    ///
    /// An action may take all but 256 of them, whatever is dispatched with it; a larger one is taken back
    /// by its client, as ``SyncRefusal/Kind/tooLarge``.
    public var messageBytes = 1 << 20
    /// The maximum number of bytes of a whole state.
    public var stateBytes = 64 << 20
    /// The maximum number of entries in a message.
    public var entriesPerMessage = 256
    /// The maximum number of proposals in a message; more wait until these are decided.
    ///
    /// At most 64: of so many numbers a server remembers which are in its log.
    public var proposalsPerMessage = 64
    /// How many proposals a server takes of a connection in a second; more wait at the client.
    ///
    /// Any other message counts as one, and an eighth of them what has a whole state or lost entries sent.
    public var proposalsPerSecond = 1_000
    /// The maximum number of actions that may be pending at a client; more are withheld.
    public var pending = 10_000
    /// The maximum number of entries that are on their way to a client.
    public var window = 1_024
    /// The maximum number of entries that a server keeps for clients that come back; a client that
    /// is further behind gets a whole state.
    public var history = 10_000
    /// The maximum number of runs of clients that a server remembers; more can propose nothing.
    public var runs = 1_000_000
    /// The maximum number of refusals with their reasons that a server remembers of a run.
    public var refusals = 64
    /// The maximum number of sessions of a server.
    public var sessions = 10_000
    /// How long a client waits for an answer before it sends again.
    public var patience: Duration = .seconds(5)
    /// How often a client that has nothing to say says how far it has got.
    public var heartbeat: Duration = .seconds(20)

    /// How many messages may wait for a client that doesn't read; with more, it begins again.
    var unread: Int { window + 64 }

    /// How large an action may be: a message with it alone is no larger than messages may be.
    var actionBytes: Int { messageBytes - 256 }

    /// Creates the default limits.
    public init() {}
}
