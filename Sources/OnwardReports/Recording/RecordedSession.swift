// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
internal import OnwardJournal

/// What a ``SessionRecorder`` has left on disk, or a journal has: a state, and the entries after it.
///
/// It has what users entered, and stays on the device; ``report(in:redacting:migrations:limit:)`` makes what may leave it.
public struct RecordedSession: Sendable {
    /// The recording as it is, with everything that users entered.
    ///
    /// Nothing of it is redacted. For tests, and for a device of your own.
    public let unredacted: Report

    /// How the session ended, as far as it is known.
    public var ending: Report.Ending { unredacted.ending }

    /// When the recording begins.
    public let begin: Timestamp

    /// A session that was kept in another way, such as the journal of a store.
    ///
    /// ```swift
    /// let session = RecordedSession(Report(from: start, try await journal.entries(from: 1, limit: .max)))
    /// ```
    ///
    /// What is `Redacted` isn't in a journal, so a log with such values can't be run again: a ``SessionRecorder`` records it.
    ///
    /// - Parameter unredacted: A state, and the actions that came after it.
    public init(_ unredacted: Report) {
        self.unredacted = unredacted
        begin = unredacted.entries.first?.time ?? Timestamp(nanosecondsSince1970: 0)
    }

    /// Reads the folder of a session; nil where no segment has a state.
    init?(_ path: String) {
        var segments: [Segment] = []
        for file in SessionFolder.segments(of: path) {
            guard let data = FileManager.default.contents(atPath: file),
                let segment = Segment(Array(data))
            else { continue }
            // Where entries are missing in between, only what comes after them can be folded.
            if segments.last?.end != segment.start.snapshot.version { segments = [] }
            segments.append(segment)
        }
        guard let first = segments.first, let last = segments.last else { return nil }
        var report = Report(
            from: first.start.snapshot, segments.flatMap(\.entries), app: first.start.app,
            system: first.start.system)
        report.ending.unencoded = segments.reduce(0) { $0 + $1.unencoded.count }
        if let (mark, payloads) = MarkFile.contents(of: SessionFolder.mark(of: path)) {
            if mark.version > last.end {
                report.ending.missing = Int(clamping: mark.version - last.end)
            }
            if let reduced = mark.reduced {
                let action = Report.ReducedAction(
                    name: reduced.name, origin: reduced.origin, version: mark.version + 1)
                report.ending.reduced = action
                report.ending.reduced?.payload =
                    payloads.first { $0.name == reduced.name }?.payload
            }
        }
        for segment in segments {
            report.alarms.merge(segment.digests) { $1 }
        }
        unredacted = report
        begin = first.start.time
    }

    /// The sessions in a folder that can be read, the newest first; that of a running program, too.
    ///
    /// - Complexity: O(size of what is in the folder).
    public static func sessions(in path: String) -> [RecordedSession] {
        SessionFolder.sessions(in: path).compactMap(RecordedSession.init)
    }
}
