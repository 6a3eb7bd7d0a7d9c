// SPDX-License-Identifier: MIT
#if All

/// How a ``PostgresDatabase`` is used.
public struct PostgresOptions: Sendable {
    /// The database schema that has the tables, in lowercase letters, digits and underscores.
    public var schema = "onward"
    /// The maximum number of open connections, besides the one for notifications.
    public var connections = 8
    /// How long one server may take to accept a connection; after that, the next one in the
    /// connection string is tried.
    public var connectLimit = Duration.seconds(5)
    /// How long a call may take before it throws, including retries.
    public var callLimit = Duration.seconds(10)
    /// How long a server may be silent about a running append before another connection finds out
    /// its outcome.
    ///
    /// The append itself is never cancelled.
    public var silenceLimit = Duration.seconds(30)
    /// How many entries of one journal may wait to be appended.
    public var queueLimit = 100_000
    /// How often all followed stores are polled together for new entries; a notification makes it
    /// sooner.
    public var pollSpacing = Duration.seconds(1)
    /// Whether notifications of new entries are sent and received.
    ///
    /// Without them, entries that other processes append are found by polling.
    public var notifies = true
    /// The clock for pauses between polls and between tries.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates the usual options.
    public init() {}
}
#endif
