// SPDX-License-Identifier: MIT

/// How long the log is, and what is shown.
package struct SummaryQuestion: LogQuestion {
    package static let address = "summary"

    package func answer(from store: AskedStore) -> LogSummary { store.store.summary }
}

extension LogSummary: LogAnswer {
    package static var example: LogSummary { LogSummary() }

    /// The summary with numbers that fit one another.
    package var bounded: LogSummary {
        var summary = self
        summary.count = count.bounded
        summary.cursor = min(cursor.bounded, summary.count)
        summary.shownID = shownID.bounded
        summary.newestID = newestID.bounded
        summary.skipped = skipped.bounded
        summary.limit = limit.bounded
        summary.taken = taken.bounded
        summary.revision = revision.bounded
        summary.keptBytes = keptBytes.bounded
        return summary
    }

    package var lines: [String] { ["\(count) entries, shows \(cursor)"] }
}
