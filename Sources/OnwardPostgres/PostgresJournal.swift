// SPDX-License-Identifier: MIT
#if All

public import Onward
public import OnwardJournal

/// The journal of one store in a PostgreSQL database, for apps on many machines.
///
/// ```swift
/// let database = try await PostgresDatabase("host=a,b dbname=shop user=shop")
/// let journal = try await PostgresJournal(of: "orders", in: database)
/// ```
///
/// Any number of objects, in any number of programs, may append to the journal of a store: of those
/// that have read the same end, one is accepted, and the others throw `JournalError.Code.conflict`.
///
/// Appends of one object are sent in the order of their calls, one statement at a time. Those that
/// follow one another and wait at the same time share a statement, so a caller need not wait for an
/// append before it makes the next one, after the id of an entry that isn't acknowledged yet: if
/// that entry is refused, so are all that follow it. An append returns once the server has
/// committed it according to its `synchronous_commit`, for which `off` is not accepted; a commit
/// with a warning, as from a primary that no longer waits for its standby, doesn't count.
///
/// If a connection is lost, the append is retried: if it was already done, it is found by its id,
/// so it is never stored twice. If its outcome isn't known within ``PostgresOptions/callLimit``,
/// the call throws `JournalError.Code.storage`; the append itself is not cancelled.
public final class PostgresJournal: Journal {
    private typealias Caller = CheckedContinuation<Result<Void, JournalError>, Never>

    private let database: PostgresDatabase
    private let store: StoreName
    private let appends: Guarded<AppendQueue<Caller>>
    private let end = JournalEnd()

    /// The name of the store.
    public var name: String { store.text }

    /// Opens the journal of a store, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - name: The name of the store in the database; at most 1,000 bytes.
    ///   - database: The database of the journal; it is not closed with the journal.
    /// - Throws: `.invalid` for a name that is too long or contains a zero byte; otherwise as
    ///   ``PostgresDatabase/init(_:options:)``.
    public init(of name: String, in database: PostgresDatabase) async throws(JournalError) {
        guard name.utf8.count <= 1_000, !name.utf8.contains(0) else {
            throw JournalError(
                .invalid, "The name of a store has at most 1,000 bytes, and none of them is zero.")
        }
        let number = try await database.perform("init") {
            [tables = database.tables] db throws(PostgresFailure) in
            try tables.store(named: name, db)
        }
        self.database = database
        store = StoreName(number: number, text: name)
        appends = Guarded(AppendQueue(limit: database.options.queueLimit))
    }

    // MARK: Journal

    /// The server's disk: `off` is not accepted for `synchronous_commit`.
    public var durability: Durability { .synced }

    /// Where the journal ends.
    public func lastPosition() async throws(JournalError) -> JournalPosition {
        try await perform("lastPosition()") {
            [tables = database.tables, store] db throws(PostgresFailure) in
            try tables.end(of: store, db)
        }
    }

    /// Appends entries in one statement, and returns once they are committed.
    ///
    /// It begins on the caller's actor, so calls from one actor are sent in their order.
    ///
    /// - Throws: As `Journal.append(_:after:)`; `.storage` if the outcome isn't known, `.overflow`
    ///   if too many entries wait, `.invalid` for texts that contain a zero byte.
    /// - Complexity: O(entries); a commit is shared by those that wait at the same time.
    public nonisolated(nonsending) func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        let call = "append(_:after:)"
        for (offset, entry) in entries.enumerated() {
            let wanted = expected.version + 1 + CommitVersion(offset)
            guard entry.version == wanted else {
                throw .misnumbered(entry, at: offset, instead: wanted)
            }
            try Self.check(entry)
        }
        guard !entries.isEmpty else {
            let last = try await lastPosition()
            guard last == expected else { throw .conflict(expected: expected, true: last) }
            return
        }
        let result = await withCheckedContinuation { (caller: Caller) in
            let append = AppendQueue<Caller>.Append(
                entries: entries, expected: expected, deadline: .now + database.options.callLimit,
                caller: caller)
            let answer = end.isClosed ? nil : appends.withValue { $0.add(append) }
            switch answer {
            case .begins: Task { await fly() }
            case .waits: break
            case .refused:
                caller.resume(
                    returning: .failure(.overflow(database.options.queueLimit, database.name)))
            case nil: caller.resume(returning: .failure(.closed(call)))
            }
            if appends.withValue({ $0.mustBeWatched() }) {
                Task { await answerLateCallers() }
            }
        }
        try result.get()
    }

    /// Returns entries from a version on, in order; their checksums are verified.
    public func entries(
        from version: CommitVersion, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        let call = "entries(from:limit:)"
        if end.isClosed { throw .closed(call) }
        return try await database.entries(of: store, from: version, limit: limit, call)
    }

    /// Waits until there is an entry after a version, or the journal is closed.
    ///
    /// Entries that this object appends are known at once, those of others by a notification or a
    /// poll.
    public func wait(after version: CommitVersion) async throws(JournalError) {
        let watch = database.watch(store.number) { [end] in end.note($0) }
        defer { database.unwatch(watch, of: store.number) }
        // What was appended before the journal was watched.
        end.note(try await lastVersion())
        try await end.wait(after: version)
    }

    /// Returns the newest snapshot at or before a version; nil if there is none.
    public func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await perform("snapshot(at:)") {
            [tables = database.tables, store] db throws(PostgresFailure) in
            try tables.snapshot(of: store, at: version, db)
        }
    }

    /// Stores a snapshot, replacing one of the same version.
    public func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await keep(snapshot, at: nil)
    }

    /// Stores a snapshot of the state after an entry, if the journal has that entry.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - position: The version and the id of the last entry that it includes.
    /// - Throws: `.conflict`, and nothing is stored, if the journal has another entry of that
    ///   version: the state then includes something that was never accepted.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await keep(snapshot, at: position)
    }

    private func keep(
        _ snapshot: JournalSnapshot, at position: JournalPosition?
    ) async throws(JournalError) {
        try await perform("store(_:)") {
            [tables = database.tables, store] db throws(PostgresFailure) in
            try tables.keep(snapshot, of: store, at: position, db)
        }
    }

    /// Forgets entries before a version, and snapshots that were needed only for them.
    public func truncate(before version: CommitVersion) async throws(JournalError) {
        try await perform("truncate(before:)") {
            [tables = database.tables, store] db throws(PostgresFailure) in
            try tables.truncate(store, before: version, at: nil, db)
        }
    }

    /// Forgets entries before a version, if the journal has an entry that the caller knows.
    ///
    /// - Throws: `.conflict`, and nothing is forgotten, if the journal has another entry of that
    ///   version.
    public func truncate(
        before version: CommitVersion, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("truncate(before:)") {
            [tables = database.tables, store] db throws(PostgresFailure) in
            try tables.truncate(store, before: version, at: position, db)
        }
    }

    /// Erases the contents of entries, and drops the snapshots that include them.
    ///
    /// The old rows are dead from then on; their bytes are gone once the tables are rewritten, as
    /// with `VACUUM FULL`, and once PostgreSQL's own log and backups of it are gone.
    public func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        for entry in entries { try Self.check(entry) }
        try await perform("erase(_:_:)") {
            [tables = database.tables, store] db throws(PostgresFailure) in
            try tables.erase(entries, snapshots, of: store, db)
        }
    }

    /// Closes the journal: readers that follow it end, and later calls throw.
    ///
    /// Appends that were already made continue.
    public func close() {
        end.close()
    }

    // MARK: Calls

    private func perform<Value: Sendable>(
        _ call: String,
        _ body: @escaping @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(JournalError) -> Value {
        if end.isClosed { throw .closed(call) }
        return try await database.perform(call, body)
    }

    /// PostgreSQL has no zero in a text.
    private static func check(_ entry: JournalEntry) throws(JournalError) {
        let texts = [entry.name, entry.address.description, entry.origin.file]
        guard texts.contains(where: { $0.utf8.contains(0) }) else { return }
        throw JournalError(
            .invalid, version: entry.version,
            "Entry \(entry.version) can't be stored in PostgreSQL: its name, address or file has a zero in it."
        )
    }

    // MARK: Appending

    /// Sends one flight after the other, until nothing waits.
    private func fly() async {
        while let flight = appends.withValue({ $0.next() }) {
            let outcome = await send(flight)
            let callers = appends.withValue { $0.land() }
            if case .success(.all) = outcome, let last = flight.last?.entries.last {
                end.note(last.version)
                database.announce(store.number)
            }
            for (caller, expected) in callers {
                switch outcome {
                case .success(.all): caller.resume(returning: .success(()))
                case .success(.nothing(let end)):
                    caller.resume(returning: .failure(.conflict(expected: expected, true: end)))
                case .failure(let error): caller.resume(returning: .failure(error))
                }
            }
        }
    }

    private func send(
        _ flight: [AppendQueue<Caller>.Append]
    ) async -> Result<PostgresTables.Appended, JournalError> {
        let entries = flight.flatMap(\.entries)
        let expected = flight.first?.expected ?? .start
        var retry = Retry(limit: database.options.silenceLimit)
        var isRepeated = false
        while true {
            let result = await database.attempt(until: retry.deadline) {
                [tables = database.tables, store, isRepeated] db throws(PostgresFailure) in
                try tables.append(
                    entries, after: expected, to: store, isRepeated: isRepeated, db)
            }
            switch result {
            case .success(let appended): return .success(appended)
            case .failure(let failure):
                if failure.kind == .lost || failure.kind == .unconfirmed { isRepeated = true }
                if failure.isTransient, await database.waits(&retry) { continue }
                return .failure(
                    isRepeated
                        ? .unknownOutcome("append(_:after:)", database.name, failure.message)
                        : JournalError(failure, of: database.name, call: "append(_:after:)"))
            }
        }
    }

    /// Answers callers whose time is over; what they wanted to append continues if it was sent.
    private func answerLateCallers() async {
        while let deadline = appends.withValue({ $0.nextDeadline() }) {
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else {
                return
            }
            let (unknown, unsent) = appends.withValue { $0.expire(at: .now) }
            let (limit, name) = (database.options.callLimit, database.name)
            for caller in unknown {
                let error = JournalError.unknownOutcome(
                    "append(_:after:)", name, "there was no answer for \(limit)")
                caller.resume(returning: .failure(error))
            }
            for caller in unsent { caller.resume(returning: .failure(.unsent(name, limit))) }
        }
    }
}
#endif
