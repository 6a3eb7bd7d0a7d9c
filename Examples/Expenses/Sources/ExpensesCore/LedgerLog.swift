// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal
public import OnwardReports

extension PersistenceOptions<Expenses> {
    /// What is kept of a ledger: what people did, and no snapshot.
    ///
    /// The ledger is its log. 50,000 samples are one entry, so is an undo, and the steps that can be undone are there
    /// again at the next start.
    public static var ledger: Self {
        var options = Self()
        options.recording.snapshotSpacing = nil
        options.recorded = { action in action is NoticeAction ? nil : action }
        return options
    }
}

extension Report {
    /// What happened to a ledger, as a file that may be given away: its log, with stand-ins for who was paid.
    ///
    /// - Parameters:
    ///   - store: The store of the ledger.
    ///   - journal: Where its log is kept.
    /// - Returns: The report, from the first entry on unless somebody has travelled through the ledger since.
    /// - Throws: `JournalError` where the log can't be read, `ReportError` where it is too large.
    public static func ledger(
        of store: Store<Expenses>, in journal: some Journal
    ) async throws -> Report {
        let codec = JournalCodec(for: store)
        let entries = try await journal.entries(from: 1, limit: .max)
        // The inspector installs states; the actions behind the last one lead from it to the present.
        let begin = entries.last { $0.kind == .install }?.version ?? 0
        let state = try await Replay.state(
            of: journal, startingWith: Expenses(), by: store, codec, at: begin
        ).state
        let log = Report(
            from: try codec.states.encode(state, at: begin, by: codec.fingerprint),
            entries.filter { $0.version > begin }, app: "Expenses")
        return try RecordedSession(log).report(in: expensesReducers, redacting: redaction)
    }

    /// What may leave the house: days, amounts and categories, and not who was paid.
    private static var redaction: Redaction<Expenses> {
        Redaction()
            .allowingTexts {
                Day($0) != nil || Money($0) != nil || Category(rawValue: $0) != nil || $0.isEmpty
            }
            .checking("expenses") { $0.ledger.expenses.count }
            .checking("the last amount") { $0.ledger.expenses.last?.amount }
            .checking("budgets") { $0.ledger.budgets }
    }
}
