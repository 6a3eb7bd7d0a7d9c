// SPDX-License-Identifier: MIT
#if All

internal import Foundation
package import Onward
package import OnwardJournal
internal import OnwardReports
internal import OnwardSQLite

/// A file that has a log: a journal, or the report of a session.
package enum LogFile {
    /// The most bytes of a report.
    private static let reportLimit = 256 << 20

    /// Opens a file to be read.
    ///
    /// - Throws: `JournalError` or `ReportError` that says why it can't be read.
    package static func read(_ path: String) async throws -> any ReadableJournal {
        if isReport(path) {
            return try ReportJournal(Report(contentsOf: path, limit: reportLimit))
        }
        return try await SQLiteJournal(reading: path)
    }

    /// Whether a file says that it is a report.
    static func isReport(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: Report.signature.count)) == Data(Report.signature)
    }

    /// The exit code that an error of a file has; nil for one of anything else.
    package static func exitCode(of error: any Error) -> Int32? {
        switch error {
        case let error as JournalError:
            switch error.code {
            case .foreign, .newer, .unwritable: 2
            case .locked: 3
            default: 1
            }
        case let error as ReportError:
            [.foreign, .newer, .unwritable].contains(error.code) ? 2 : 1
        case let error as LogProblem: error.exitCode
        default: nil
        }
    }

    /// What the report of a session says of its end, besides its entries: how many that came last are missing, and
    /// the action that was being reduced when the program died.
    package static func ending(of journal: any ReadableJournal) -> [JournalEntry] {
        guard let report = (journal as? ReportJournal)?.report else { return [] }
        var ending: [JournalEntry] = []
        let missing = report.lastMissing
        if missing > 0 {
            ending.append(
                JournalEntry(
                    version: report.end &+ CommitVersion(missing),
                    name: "the \(missing) entries that came last are missing",
                    origin: ActionOrigin(file: "", line: 0)))
        }
        if let reduced = report.ending.reduced {
            ending.append(
                JournalEntry(
                    version: reduced.version,
                    name: "\(reduced.name) (the program ended while it reduced this)",
                    payload: reduced.payload ?? [], origin: reduced.origin))
        }
        return ending
    }

    /// The digests of states that a report has, and that of the state at its beginning, by version and in order.
    package static func digests(
        of journal: any ReadableJournal
    ) -> [(version: CommitVersion, digest: StateDigest)] {
        guard let report = (journal as? ReportJournal)?.report, !report.digests.isEmpty,
            let start = value(of: report.start.payload)
        else { return [] }
        var digests = report.digests
        digests[report.start.version] = StateDigest(of: start)
        return digests.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// What a payload says; nil where it is in no known format.
    package static func value(of payload: [UInt8]) -> DataValue? {
        JournalEntry(version: 0, name: "", payload: payload).value
    }
}
#endif
