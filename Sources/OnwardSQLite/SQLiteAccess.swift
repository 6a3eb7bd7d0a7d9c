// SPDX-License-Identifier: MIT
#if SQLite

internal import Onward
internal import OnwardJournal

/// The connection of a journal, which lets go of its locks while an app is suspended.
///
/// A call takes the connection and queues on it; while there is none, it waits.
final class SQLiteAccess: Sendable {
    private enum State {
        case open(SQLiteConnection)
        /// No lock is held.
        case suspended
        /// A connection is being closed or opened.
        case changing
        case closed
    }

    private struct Contents {
        var state: State
        /// How often the state has changed.
        var changes: UInt64 = 0
        /// Those who wait for another state; one for each call that is under way.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Opens a connection to the file that has to be there; nil for the first one.
    private let open: @Sendable (FileIdentity?) async throws(JournalError) -> SQLiteConnection
    /// The file that was opened first.
    let identity: FileIdentity?
    private let contents: Guarded<Contents>

    init(
        known: FileIdentity?,
        open: @escaping @Sendable (FileIdentity?) async throws(JournalError) -> SQLiteConnection
    ) async throws(JournalError) {
        self.open = open
        let connection = try await open(known)
        identity = connection.identity
        contents = Guarded(Contents(state: .open(connection)))
    }

    /// The connection, once there is one.
    ///
    /// - Throws: `.closed`.
    func connection(for call: String) async throws(JournalError) -> SQLiteConnection {
        while true {
            let (state, changes) = contents.withValue { ($0.state, $0.changes) }
            switch state {
            case .open(let connection): return connection
            case .closed: throw .closed(call)
            case .suspended, .changing: await change(after: changes)
            }
        }
    }

    /// Closes the connection, behind the calls that are under way.
    func suspend() async {
        guard let connection = await beginChange() else { return }
        await connection.close()
        set(.suspended)
    }

    /// Opens the connection again; does nothing where it is open.
    ///
    /// - Throws: `.closed`; what opening throws, and then it stays suspended.
    func resume() async throws(JournalError) {
        while true {
            let (state, changes) = contents.withValue { contents in
                let state = contents.state
                if case .suspended = state { contents.state = .changing }
                return (state, contents.changes)
            }
            switch state {
            case .open: return
            case .closed: throw .closed("resume()")
            case .suspended: return try await reopen()
            case .changing: await change(after: changes)
            }
        }
    }

    private func reopen() async throws(JournalError) {
        do {
            let connection = try await open(identity)
            set(.open(connection))
        } catch {
            set(.suspended)
            throw error
        }
    }

    /// Closes the connection for good.
    func close() async {
        if let connection = await beginChange() { await connection.close() }
        set(.closed)
    }

    /// Takes the connection out; nil where there is none.
    private func beginChange() async -> SQLiteConnection? {
        while true {
            let (state, changes) = contents.withValue { contents in
                let state = contents.state
                if case .open = state { contents.state = .changing }
                return (state, contents.changes)
            }
            switch state {
            case .open(let connection): return connection
            case .suspended, .closed: return nil
            case .changing: await change(after: changes)
            }
        }
    }

    private func set(_ state: State) {
        let waiters = contents.withValue { contents in
            // What is closed stays so.
            if case .closed = contents.state {} else { contents.state = state }
            contents.changes += 1
            defer { contents.waiters = [] }
            return contents.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func change(after changes: UInt64) async {
        await withCheckedContinuation { continuation in
            let mustWait = contents.withValue { contents in
                guard contents.changes == changes else { return false }
                contents.waiters.append(continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}
#endif
