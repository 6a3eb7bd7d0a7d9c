// SPDX-License-Identifier: MIT
#if Postgres

/// How a ``PostgresDatabase`` is used.
public struct PostgresOptions: Sendable {
    /// The schema in the database that has the tables: small letters, digits and underscores.
    public var schema = "onward"
    /// How many connections are open at most, besides the one for notifications.
    public var connections = 8
    /// How long one server may take to accept a connection; then the next one of the connection string is tried.
    public var connectLimit = Duration.seconds(5)
    /// How long a call may take until it throws, tries of it included.
    public var callLimit = Duration.seconds(10)
    /// How long a server may be silent about an append that runs, until the outcome is found out with another connection.
    ///
    /// The append itself is never cancelled.
    public var silenceLimit = Duration.seconds(30)
    /// How many entries of one journal may wait to be appended.
    public var queueLimit = 100_000
    /// How often it is looked for new entries of the stores that somebody follows, all at once; a notification makes it
    /// sooner.
    public var pollSpacing = Duration.seconds(1)
    /// Whether new entries are notified, and notifications received.
    ///
    /// Without, what other processes append is found by polling.
    public var notifies = true
    /// The clock of pauses between polls and between tries.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The usual options.
    public init() {}
}
#endif
