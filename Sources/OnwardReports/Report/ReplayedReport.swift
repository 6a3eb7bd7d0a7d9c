// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// A store for time travel in a report, showing each moment of the session as the app shows it.
///
/// Its features only reduce: no effect starts, nothing is sent.
public struct ReplayedReport<State: Codable & Sendable>: Sendable {
    /// The store; it shows the end of the session, until the history shows another moment.
    public let store: Store<State>
    /// The log of the session, with its cursor.
    public let history: History<State>
}

extension Report {
    /// Opens the report with the features of the app.
    ///
    /// ```swift
    /// let session = try Report(contentsOf: path).replayed(in: app) as ReplayedReport<AppState>
    /// session.history.jump(to: 0)
    /// print(session.store.state)
    /// ```
    ///
    /// - Parameters:
    ///   - feature: The features of the app; only their reducers run.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    /// - Returns: A store that shows the end of the session, and its history.
    /// - Throws: ``ReportError/Code/unreadable``.
    /// - Complexity: O(size of the report).
    public func replayed<State: Codable & Sendable>(
        in feature: some Part<State>, migrations: Migrations = Migrations()
    ) throws(ReportError) -> ReplayedReport<State> {
        let first = try StateCodec<State>(migrations: migrations).start(of: self)
        let (start, entries) = try decoded(by: Store.folding(feature, from: first), migrations)
        let store = Store.folding(feature, from: start)
        let history = History(of: store, limit: max(entries.count, 100_000))
        let staged = entries.enumerated().map { index, entry in
            HistoryEntry(
                id: index + 1, action: entry.action, address: entry.address, origin: entry.origin,
                time: entry.time, stamp: entry.stamp)
        }
        history.perform { log in
            log.load(
                base: start, staged: staged, skipped: [], cursor: staged.count,
                nextID: staged.count + 1)
        }
        return ReplayedReport(store: store, history: history)
    }
}
