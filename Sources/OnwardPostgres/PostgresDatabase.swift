// SPDX-License-Identifier: MIT
#if All

internal import Onward
public import OnwardJournal

/// A PostgreSQL database with journals: its connections, and its tables.
///
/// ```swift
/// let database = try await PostgresDatabase("host=a,b dbname=shop user=shop")
/// let orders = try await PostgresJournal(of: "orders", in: database)
/// ```
///
/// Any number of journals and programs can share a database. Of several servers in the connection
/// string, the writable one is used, even when that changes; `target_session_attrs=read-write` is
/// the default. A server on an older timeline than one that this object has seen is refused,
/// because what it accepts is lost.
///
/// Statements run on the connections' own queues, never on a thread of Swift's concurrency.
public final class PostgresDatabase: Sendable {
    typealias Lease = Result<PostgresConnection?, PostgresFailure>
    private typealias Reader = CheckedContinuation<Result<[JournalEntry], JournalError>, Never>

    let options: PostgresOptions
    let tables: PostgresTables
    let servers: PostgresServers
    private let pool: Guarded<ConnectionPool<PostgresConnection, CheckedContinuation<Lease, Never>>>
    private let watched = Guarded(WatchedStores())
    private let changed = Guarded(ChangedStores())
    private let signals = Guarded<StoreSignals?>(nil)
    private let readings: Guarded<ReadQueue<Reader>>

    /// The name of the database in messages, without user and password.
    public var name: String { servers.address.name }

    /// Connects to a database; creates the tables if there are none, and brings older ones up to
    /// date.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq, in either form. What it omits comes from the
    ///     environment and the password file, as in `psql`.
    ///   - options: How the database is used.
    /// - Throws: `.invalid` for a connection string or a name of a schema that can't be read,
    ///   `.unwritable` if the server doesn't let this program in, `.newer` if a newer version of
    ///   the library has made the tables, `.foreign` if they are something else, `.storage` if no
    ///   server could be reached in time. No message contains a password.
    public init(
        _ connection: String, options: PostgresOptions = PostgresOptions()
    ) async throws(JournalError) {
        let address = try PostgresAddress(connection)
        guard options.schema.wholeMatch(of: /[a-z_][a-z0-9_]{0,50}/) != nil else {
            throw JournalError(
                .invalid,
                "\"\(options.schema)\" can't be the name of a schema. Use small letters, digits and underscores."
            )
        }
        self.options = options
        tables = PostgresTables(schema: options.schema, name: address.name)
        servers = PostgresServers(address, limit: options.connectLimit)
        pool = Guarded(ConnectionPool(size: options.connections))
        readings = Guarded(ReadQueue(flights: options.connections / 2))
        if options.notifies {
            let made = StoreSignals(
                servers, channel: options.schema, limit: options.callLimit,
                onChange: { [weak self] in self?.noteChanges(of: $0) })
            signals.withValue { $0 = made }
        }
        do {
            try await perform("init") { [tables] db throws(PostgresFailure) in try tables.open(db) }
        } catch {
            await close()
            throw error
        }
    }

    /// Closes all connections, once the calls that use them have ended; later calls throw.
    public func close() async {
        for waiter in pool.withValue({ $0.close() }) { waiter.resume(returning: .failure(.closed)) }
        let ended = signals.withValue { signals in
            defer { signals = nil }
            return signals
        }
        await ended?.close()
    }

    // MARK: Calls

    /// Runs statements with a connection, retrying if that may help, within the limit of a call.
    ///
    /// - Parameters:
    ///   - call: Names the call in messages.
    ///   - body: Statements that may run twice with the same result.
    /// - Returns: What the body returns.
    /// - Throws: The last failure.
    func perform<Value: Sendable>(
        _ call: String,
        _ body: @escaping @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(JournalError) -> Value {
        var retry = Retry(limit: options.callLimit)
        while true {
            switch await attempt(until: retry.deadline, body) {
            case .success(let value): return value
            case .failure(let failure):
                guard failure.isTransient, await waits(&retry) else {
                    throw JournalError(failure, of: name, call: call)
                }
            }
        }
    }

    /// Waits before the next try; false if there is none.
    func waits(_ retry: inout Retry) async -> Bool {
        guard let pause = retry.next() else { return false }
        if pause == .zero { return true }
        return (try? await options.clock.sleep(for: pause)) != nil
    }

    /// Runs statements with a connection, once.
    func attempt<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body: @escaping @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async -> Result<Value, PostgresFailure> {
        let idle: PostgresConnection?
        switch await lease(until: deadline) {
        case .success(let granted): idle = granted
        case .failure(let failure): return .failure(failure)
        }
        if let idle, servers.isCurrent(idle),
            let result = await idle.performIfOpen(until: deadline, body)
        {
            release(idle, after: result)
            return result
        }
        switch await servers.connect(until: deadline) {
        case .success(let connection):
            let result = await connection.perform(until: deadline, body)
            release(connection, after: result)
            return result
        case .failure(let failure):
            release(nil)
            return .failure(failure)
        }
    }

    private func release<Value>(
        _ connection: PostgresConnection, after result: Result<Value, PostgresFailure>
    ) {
        if case .failure(let failure) = result, !failure.keepsConnection {
            release(nil)
        } else {
            release(connection)
        }
    }

    private func lease(until deadline: ContinuousClock.Instant) async -> Lease {
        // Most get a connection at once, and need no timer.
        if let free = pool.withValue({ $0.take() }) { return .success(free) }
        let id = pool.withValue { $0.nextID() }
        let timer = Task { [pool] in
            try await Task.sleep(until: deadline, clock: .continuous)
            let late = pool.withValue { $0.expire(id) }
            late?.resume(returning: .failure(.unreachable("no connection was free in time")))
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            switch pool.withValue({ $0.request(id, continuation) }) {
            case .granted(let idle): continuation.resume(returning: .success(idle))
            case .waits: break
            case .refused:
                continuation.resume(
                    returning: .failure(.unreachable("too many calls wait for a connection")))
            case .closed: continuation.resume(returning: .failure(.closed))
            }
        }
    }

    private func release(_ connection: PostgresConnection?) {
        let next = pool.withValue { $0.release(connection) }
        next?.waiter.resume(returning: .success(next?.connection))
    }

    // MARK: Reading

    /// How many entries a reading gets that shares its statement; the others it gets alone.
    private static let sharedLimit = 16

    /// Entries of a store, in a statement that other readings of the same moment share.
    func entries(
        of store: StoreName, from version: CommitVersion, limit: Int, _ call: String
    ) async throws(JournalError) -> [JournalEntry] {
        let shared = min(limit, Self.sharedLimit)
        let result = await withCheckedContinuation { (reader: Reader) in
            let answer = readings.withValue {
                $0.add(.init(store: store, version: version, limit: shared, caller: reader))
            }
            switch answer {
            case .begins: Task { await read(call) }
            case .waits: break
            case .refused:
                let failure = PostgresFailure.unreachable("too many readings wait")
                reader.resume(returning: .failure(JournalError(failure, of: name, call: call)))
            }
        }
        let entries = try result.get()
        guard entries.count == shared, shared < limit else { return entries }
        return try await perform(call) { [tables] db throws(PostgresFailure) in
            let wanted = PostgresTables.Wanted(store: store, version: version, limit: limit)
            return try tables.entries(of: [wanted], db).first?.get() ?? []
        }
    }

    /// Sends one flight of readings after the other, until none waits.
    private func read(_ call: String) async {
        while let flight = readings.withValue({ $0.next() }) {
            let wanted = flight.map {
                PostgresTables.Wanted(store: $0.store, version: $0.version, limit: $0.limit)
            }
            do {
                let results = try await perform(call) {
                    [tables] db throws(PostgresFailure) in try tables.entries(of: wanted, db)
                }
                for (reading, result) in zip(flight, results) {
                    let answer = result.mapError { JournalError($0, of: name, call: call) }
                    reading.caller.resume(returning: answer)
                }
            } catch {
                for reading in flight { reading.caller.resume(returning: .failure(error)) }
            }
        }
    }

    // MARK: Following

    /// Calls `watcher` with the last version of a store whenever the store may have grown.
    func watch(_ store: Int64, _ watcher: @escaping @Sendable (CommitVersion) -> Void) -> UInt64 {
        let (id, begins) = watched.withValue { $0.add(watcher, of: store) }
        if begins { Task { await poll() } }
        return id
    }

    func unwatch(_ id: UInt64, of store: Int64) {
        watched.withValue { $0.remove(id, of: store) }
    }

    /// Notifies other programs that a store has grown.
    func announce(_ store: Int64) {
        signals.withValue { $0 }?.announce(store)
    }

    /// Looks for new entries of all stores that are watched, as long as there are some.
    private func poll() async {
        while watched.withValue({ $0.poll() }) != nil {
            await signals.withValue { $0 }?.listen()
            guard (try? await options.clock.sleep(for: options.pollSpacing)) != nil else {
                continue
            }
            if let stores = watched.withValue({ $0.poll() }) { noteChanges(of: stores) }
        }
    }

    private func noteChanges(of stores: [Int64]) {
        if changed.withValue({ $0.add(stores) }) { Task { await lookForChanges() } }
    }

    private func lookForChanges() async {
        while let stores = changed.withValue({ $0.next() }) {
            let wanted = watched.withValue { $0.watched(of: stores) }
            guard !wanted.isEmpty else { continue }
            let ends = await attempt(until: .now + options.callLimit) {
                [tables] db throws(PostgresFailure) in try tables.ends(of: wanted, db)
            }
            // Where that fails, the next poll tries again.
            for (store, last) in (try? ends.get()) ?? [] {
                for watcher in watched.withValue({ $0.watchers(of: store) }) { watcher(last) }
            }
        }
    }
}
#endif
