// SPDX-License-Identifier: MIT

import ArgumentParser
import ExpensesCore
import Foundation
import Onward
import OnwardJournal
import OnwardSQLite

/// Where the ledger is kept.
struct Place: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: "The file of the ledger; by default Expenses/expenses.sqlite in $XDG_DATA_HOME.")
    var path: String?

    /// Opens the ledger for a piece of work, and keeps what was done.
    func open(
        _ work: (Persistence<Expenses>, SQLiteJournal) async throws -> Void
    ) async throws {
        let file = path.map { URL(fileURLWithPath: $0) } ?? Self.standard()
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let journal = try await SQLiteJournal(at: file.path)
        let kept = try await Persistence(of: Expenses(), in: journal, options: .ledger) { expenses }
        let result: Result<Void, any Error>
        do { result = .success(try await work(kept, journal)) } catch { result = .failure(error) }
        try await kept.shutdown()
        try result.get()
    }

    private static func standard() -> URL {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
        return folder.appending(path: "Expenses/expenses.sqlite")
    }
}

extension Persistence<Expenses> {
    /// Does something to the ledger, or says why not.
    func take(_ action: LedgerAction) async throws {
        if let problem = problem(of: action, in: store.state) {
            throw Refusal(description: problem)
        }
        try await dispatch(action)
    }

    /// How much there is, in a line.
    var summary: String { store.summary }
}

extension Store<Expenses> {
    /// How much there is, in a line.
    var summary: String {
        let count = state.ledger.expenses.count
        let total = value(of: .selector(foundTotal(Query())))
        return "\(count) \(count == 1 ? "expense" : "expenses"), \(Money(cents: total))"
    }
}
