// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
internal import OnwardJournal

/// A session left on disk by a ``SessionRecorder``, or kept in a journal: a state, and the entries
/// after it.
///
/// It contains what users entered, and stays on the device;
/// ``report(in:redacting:migrations:limit:)`` makes a report that may leave it.
public struct RecordedSession: Sendable {
    /// The recording as it is, with everything that users entered.
    ///
    /// Nothing in it is redacted. Use it in tests, and on your own devices.
    public let unredacted: Report

    /// How the session ended, as far as it is known.
    public var ending: Report.Ending { unredacted.ending }

    /// When the recording begins.
    public let begin: Timestamp

    /// Creates a session from entries that were kept in another way, such as in the journal of a
    /// store.
    ///
    /// ```swift
    /// let session = RecordedSession(Report(from: start, try await journal.entries(from: 1, limit: .max)))
    /// ```
    ///
    /// `Redacted` values aren't in a journal, so a log with such values can't be run again: a
    /// ``SessionRecorder`` records them.
    ///
    /// - Parameter unredacted: A state, and the actions that came after it.
    public init(_ unredacted: Report) {
        self.unredacted = unredacted
        begin = unredacted.entries.first?.time ?? Timestamp(nanosecondsSince1970: 0)
    }

    /// Reads the folder of a session; nil if no segment has a state.
    init?(_ path: String) {
        var segments: [Segment] = []
        for file in SessionFolder.segments(of: path) {
            guard let data = FileManager.default.contents(atPath: file),
                let segment = Segment(Array(data))
            else { continue }
            // No recorder goes back.
            if let end = segments.last?.end, end > segment.start.snapshot.version { segments = [] }
            segments.append(segment)
        }
        guard let first = segments.first, let last = segments.last else { return nil }
        var report = Report(
            from: first.start.snapshot, Self.entries(of: segments), app: first.start.app,
            system: first.start.system)
        report.ending.missing = report.gaps.reduce(0) { $0 + $1.count }
        report.ending.unencoded = segments.reduce(0) { $0 + $1.unencoded.count }
        if let (mark, payloads) = MarkFile.contents(of: SessionFolder.mark(of: path)) {
            if mark.version > last.end {
                report.ending.missing += Int(clamping: mark.version - last.end)
            }
            if let reduced = mark.reduced {
                let action = Report.ReducedAction(
                    name: reduced.name, origin: reduced.origin, version: mark.version + 1)
                report.ending.reduced = action
                report.ending.reduced?.payload =
                    payloads.first { $0.name == reduced.name }?.bytes
            }
        }
        for segment in segments {
            report.alarms.merge(segment.digests) { $1 }
        }
        unredacted = report
        begin = first.start.time
    }

    /// The entries of segments, with one in each place where some are missing: it has the state
    /// with which the next segment begins.
    private static func entries(of segments: [Segment]) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        for (index, segment) in segments.enumerated() {
            let start = segment.start.snapshot
            if index > 0, segments[index - 1].end < start.version {
                let end = segments[index - 1].end
                let missing = MissingCommits(
                    count: Int(clamping: start.version - end), first: end + 1, last: start.version)
                entries.append(JournalEntry(missing, start, segment.start.time))
            }
            entries += segment.entries
        }
        return entries
    }

    /// The sessions in a folder that can be read, newest first, including that of a running
    /// program.
    ///
    /// - Complexity: O(size of the folder's contents).
    public static func sessions(in path: String) -> [RecordedSession] {
        SessionFolder.sessions(in: path).compactMap(RecordedSession.init)
    }
}
