// SPDX-License-Identifier: MIT
#if All

internal import Dispatch

/// A connection to one server, on a queue of its own: libpq blocks the thread that calls it.
actor PostgresConnection {
    private let queue = ConnectionQueue()
    private let libpq: Libpq
    private var listening: (any DispatchSourceRead)?
    private var onNotification: @Sendable ([String]?) -> Void = { _ in }
    private var deadline = ContinuousClock.now

    /// The server's timeline, which a promotion raises; nil where the server doesn't say.
    nonisolated let timeline: Int64?
    /// The server's process for the connection.
    nonisolated let process: Int32

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private init(_ libpq: Libpq, timeline: Int64?) {
        self.libpq = libpq
        self.timeline = timeline
        process = libpq.process
    }

    // MARK: Connecting

    /// Connects to one server, and prepares the session.
    static func connect(
        _ settings: [PostgresAddress.Setting], until deadline: ContinuousClock.Instant
    ) async throws(PostgresFailure) -> PostgresConnection {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue(label: "OnwardPostgres.connecting").async {
                let result = Result { () throws(PostgresFailure) in
                    try open(settings, until: deadline)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// Connects, on the calling thread.
    private static func open(
        _ settings: [PostgresAddress.Setting], until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresConnection {
        let libpq = try Libpq.connect(settings, until: deadline)
        do throws(PostgresFailure) {
            _ = try libpq.run(session, until: deadline)
        } catch {
            throw PostgresFailure(.unreachable, state: error.state, error.message)
        }
        let found = try? libpq.run(timeline, until: deadline)
        return PostgresConnection(libpq, timeline: found?.number(0, 0))
    }

    /// What a session begins with.
    ///
    /// Time limits are the client's: a server that cancels a commit which waits for a standby reports success. A
    /// commit that returns before it is on disk would be acknowledged and could be lost.
    private static let session = Statement(
        """
        SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
        """)

    /// The first eight digits of the name of the file that is written to.
    private static let timeline = Statement(
        """
        SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint
        """)

    // MARK: Statements

    /// Runs statements one after the other.
    func perform<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) -> Result<Value, PostgresFailure> {
        self.deadline = deadline
        do throws(PostgresFailure) {
            return .success(try body(self))
        } catch {
            return .failure(error)
        }
    }

    /// Runs statements one after the other; nil, and nothing was sent, where the connection has ended meanwhile.
    func performIfOpen<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) -> Result<Value, PostgresFailure>? {
        libpq.isOpen() ? perform(until: deadline, body) : nil
    }

    /// Runs a statement; called in the body of `perform`.
    @discardableResult
    func run(_ statement: Statement) throws(PostgresFailure) -> PostgresRows {
        // An answer may bring notifications along.
        defer { receive() }
        return try libpq.run(statement, until: deadline)
    }

    /// Runs statements that are done together, or not at all.
    func transaction<Value>(
        _ body: (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) throws(PostgresFailure) -> Value {
        try run(Statement("BEGIN ISOLATION LEVEL READ COMMITTED"))
        let value: Value
        do throws(PostgresFailure) {
            value = try body(self)
        } catch {
            if error.kind == .refused || error.kind == .rejected {
                _ = try? run(Statement("ROLLBACK"))
            }
            throw error
        }
        try run(Statement("COMMIT"))
        return value
    }

    // MARK: Notifications

    /// Receives what is notified on a channel, without a thread that waits for it.
    ///
    /// - Parameters:
    ///   - channel: Its name.
    ///   - deadline: When to give up.
    ///   - onNotification: Called on the connection's queue with what has come together; with nil once, when the
    ///     connection has ended.
    /// - Throws: As a statement.
    func listen(
        to channel: String, until deadline: ContinuousClock.Instant,
        _ onNotification: @escaping @Sendable ([String]?) -> Void
    ) throws(PostgresFailure) {
        _ = try libpq.run(Statement("LISTEN \(channel)"), until: deadline)
        self.onNotification = onNotification
        let source = DispatchSource.makeReadSource(
            fileDescriptor: libpq.socket, queue: queue.queue)
        source.setEventHandler { [weak self] in
            self?.assumeIsolated { $0.receive() }
        }
        // The socket is open for as long as it is watched.
        source.setCancelHandler { [libpq] in withExtendedLifetime(libpq) {} }
        listening = source
        source.activate()
    }

    private func receive() {
        guard listening != nil else { return }
        let texts = libpq.notifications()
        if texts == nil { stopListening() }
        if texts?.isEmpty != true { onNotification(texts) }
    }

    /// Ends the notifications.
    func stopListening() {
        listening?.cancel()
        listening = nil
    }
}

/// Runs the jobs of one actor on a queue.
private final class ConnectionQueue: SerialExecutor {
    let queue = DispatchQueue(label: "OnwardPostgres.connection")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
#endif
