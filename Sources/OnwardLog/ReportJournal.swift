// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal
internal import OnwardReports

/// A report as a journal.
///
/// The state at its beginning is a snapshot. What the recorder could not encode, and so is not in the report, is an
/// erased entry, so versions follow one another. Only an entry that stands for missing commits follows a gap.
struct ReportJournal: ReadableJournal {
    /// The most entries that may be missing; beyond it the numbers of a file are no versions.
    private static let mostMissing: CommitVersion = 1_000_000

    let report: Report
    /// The versions that are not in the report.
    let missing: [CommitVersion]
    private let entries: [JournalEntry]

    /// Reads a report as a journal.
    ///
    /// - Throws: ``LogProblem`` where versions leave out too many.
    init(_ report: Report) throws(LogProblem) {
        self.report = report
        var entries: [JournalEntry] = []
        var missing: [CommitVersion] = []
        var last = report.start.version
        for entry in report.entries {
            let first = entry.missing?.first ?? entry.version
            while last + 1 < first {
                last += 1
                missing.append(last)
                guard missing.count <= Self.mostMissing else {
                    throw LogProblem(
                        exitCode: 1,
                        description:
                            "More than \(Self.mostMissing) entries before version \(entry.version) are missing."
                    )
                }
                entries.append(
                    JournalEntry(
                        version: last, id: EntryID(high: 0, low: last), kind: .erased, name: ""))
            }
            if !entry.hasAction, entry.kind == .erased { missing.append(entry.version) }
            entries.append(Self.asRecorded(entry))
            last = entry.version
        }
        self.entries = entries
        self.missing = missing
    }

    /// The entry as a journal has it: a report writes an installed state by itself.
    private static func asRecorded(_ entry: JournalEntry) -> JournalEntry {
        guard entry.kind == .install, !entry.isWrittenByRecorder, let state = entry.value else {
            return entry
        }
        return JournalEntry(
            version: entry.version, id: entry.id, kind: .install, name: entry.name,
            schema: entry.schema, payload: DataFormat.cbor.bytes(of: ["state": state]),
            address: entry.address, parent: entry.parent, origin: entry.origin, time: entry.time)
    }

    func lastPosition() async throws(JournalError) -> JournalPosition {
        entries.last?.position
            ?? JournalPosition(
                version: report.start.version, id: EntryID(high: 0, low: report.start.version))
    }

    func entries(
        from version: CommitVersion, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        let first = report.start.version + 1
        guard version >= first else { throw .truncated(version, first: first) }
        var (begin, end) = (0, entries.count)
        while begin < end {
            let middle = (begin + end) / 2
            if entries[middle].version < version { begin = middle + 1 } else { end = middle }
        }
        end = min(entries.count, begin + max(limit, 0))
        // An entry that a migration has made several of stays together.
        while end > begin, end < entries.count, entries[end].version == entries[end - 1].version {
            end += 1
        }
        return Array(entries[begin..<end])
    }

    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        version >= report.start.version ? report.start : nil
    }
}
#endif
