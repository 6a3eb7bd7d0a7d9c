// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
public import OnwardJournal

extension Replay {
    /// Checks a change of reducers against recorded sessions, finding where they first lead to
    /// another state.
    ///
    /// ```swift
    /// @Test func `recorded sessions lead where they led`() throws {
    ///     try Replay.compare(Replay.reports(in: "Sessions"), now: app).check()
    /// }
    /// ```
    ///
    /// A recording has hashes of the states, so the entry is exact as long as the report has a hash
    /// for each entry, as reports of small states do; the path is as exact as the digests in the
    /// report. To get both exactly, pass the features that recorded the sessions.
    ///
    /// - Parameters:
    ///   - reports: The sessions, by name.
    ///   - feature: The present features; only their reducers run.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    /// - Returns: The sessions that differ.
    /// - Complexity: O(entries × size of the state), for each session.
    public static func compare<State: Codable & Sendable>(
        _ reports: [(name: String, report: Report)], now feature: some Part<State>,
        migrations: Migrations = Migrations()
    ) -> SessionComparison {
        compare(reports) { name, report in
            SessionFold<State>(report, name, by: feature, migrations)?.difference(before: nil)
                ?? SessionFold<State>.unreadable(report, name, by: feature, migrations)
        }
    }

    /// Checks a change of reducers against recorded sessions, folded by both the old reducers and
    /// the present ones.
    ///
    /// - Parameters:
    ///   - reports: The sessions, by name.
    ///   - old: The features that recorded them; only their reducers run.
    ///   - feature: The present features; only their reducers run.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    /// - Returns: The sessions that differ.
    /// - Complexity: O(entries × size of the state), for each session.
    public static func compare<State: Codable & Sendable>(
        _ reports: [(name: String, report: Report)], recordedBy old: some Part<State>,
        now feature: some Part<State>, migrations: Migrations = Migrations()
    ) -> SessionComparison {
        compare(reports) { name, report in
            let before = SessionFold<State>(report, name, by: old, migrations)
            return SessionFold<State>(report, name, by: feature, migrations)?
                .difference(before: before)
                ?? SessionFold<State>.unreadable(report, name, by: feature, migrations)
        }
    }

    private static func compare(
        _ reports: [(name: String, report: Report)],
        _ difference: (String, Report) -> SessionDifference?
    ) -> SessionComparison {
        SessionComparison(
            sessions: reports.count,
            differences: reports.compactMap { difference($0.name, $0.report) })
    }

    /// Reads the reports in a folder, in the order of their file names.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - limit: The maximum size of a file in bytes.
    /// - Returns: The reports in files whose names end in `.onwardreport`, by file name.
    /// - Throws: ``ReportError`` if the folder can't be read, or for the first file that can't.
    /// - Complexity: O(size of the files).
    public static func reports(
        in path: String, limit: Int = Report.sizeLimit
    ) throws(ReportError) -> [(name: String, report: Report)] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ReportError(.foreign, "\(path) can't be read: it is no folder.")
        }
        var reports: [(name: String, report: Report)] = []
        for name in names.sorted() where name.hasSuffix(".onwardreport") {
            let file = URL(fileURLWithPath: path).appendingPathComponent(name).path
            do {
                reports.append((name, try Report(contentsOf: file, limit: limit)))
            } catch {
                throw ReportError(error.code, "\(name): \(error.description)")
            }
        }
        return reports
    }
}

/// A session, decoded for some features.
private struct SessionFold<State: Codable & Sendable> {
    private let report: Report
    private let name: String
    private let store: Store<State>
    private let start: State
    private let entries: [LogEntry]

    init?(
        _ report: Report, _ name: String, by feature: some Part<State>, _ migrations: Migrations
    ) {
        guard let first = try? StateCodec<State>(migrations: migrations).start(of: report) else {
            return nil
        }
        store = Store.folding(feature, from: first)
        guard let (start, entries) = try? report.decoded(by: store, migrations) else { return nil }
        (self.report, self.name, self.start, self.entries) = (report, name, start, entries)
    }

    /// Why a session can't be decoded, and after which entry; nil if it can.
    static func unreadable(
        _ report: Report, _ name: String, by feature: some Part<State>, _ migrations: Migrations
    ) -> SessionDifference? {
        if SessionFold(report, name, by: feature, migrations) != nil { return nil }
        func difference(_ version: CommitVersion, _ action: String) -> SessionDifference {
            SessionDifference(
                session: name, version: version, action: action, path: "", reason: .unreadable)
        }
        guard let first = try? StateCodec<State>(migrations: migrations).start(of: report) else {
            return difference(report.start.version, "")
        }
        let store = Store.folding(feature, from: first)
        let codec = ActionCodec(for: store.log.actions, migrations: migrations)
        var last = report.start.version
        for entry in report.entries where entry.hasAction {
            guard (try? codec.decode(entry)) != nil else { return difference(last, entry.name) }
            last = entry.version
        }
        return nil
    }

    private func next(_ entry: LogEntry, from state: State) -> State {
        store.log.replay(CollectionOfOne(entry), from: state)
    }

    /// The first entry after which a state differs from the recorded one, or from that of other
    /// reducers.
    func difference(before: SessionFold?) -> SessionDifference? {
        var state = start
        var old = before?.start
        for (index, entry) in entries.enumerated() {
            let after = next(entry, from: state)
            guard let value = try? DataValue(encoding: after) else { continue }
            var path: String?
            if let before, index < before.entries.count, let earlier = old {
                old = before.next(before.entries[index], from: earlier)
                if let recorded = try? DataValue(encoding: old) {
                    path = recorded.firstDifference(from: value)?.path
                }
            } else if let hash = report.hashes[entry.version], hash != value.hash {
                path = self.path(of: value, after: entry, index, after)
            } else if let digest = report.digests[entry.version] {
                path = StateDigest(of: value).firstDifference(from: digest)
            }
            guard let path else {
                state = after
                continue
            }
            let impure = impurity(of: entry, from: state, after: value)
            return SessionDifference(
                session: name, version: entry.version, action: entry.action.wireName,
                path: impure ?? path, reason: impure == nil ? .changed : .impure)
        }
        return nil
    }

    /// The place of a difference, as the next digest in the report shows it.
    private func path(
        of value: DataValue, after entry: LogEntry, _ index: Int, _ state: State
    ) -> String {
        var (value, state) = (value, state)
        for later in entries[index...] {
            if later.version != entry.version {
                state = next(later, from: state)
                guard let encoded = try? DataValue(encoding: state) else { break }
                value = encoded
            }
            if let digest = report.digests[later.version] {
                return StateDigest(of: value).firstDifference(from: digest) ?? ""
            }
        }
        return ""
    }

    /// Where two runs of the same reducers differ; nil if they don't.
    ///
    /// Each run begins with an encoded and decoded copy of the state, some milliseconds after the
    /// previous run.
    private func impurity(of entry: LogEntry, from state: State, after value: DataValue) -> String?
    {
        guard let before = try? DataValue(encoding: state) else { return nil }
        // Kept, so that each lies elsewhere. The order of a dictionary comes from the address at
        // which it was made, and one may have been made where the first copy is put.
        var copies: [State] = []
        defer { withExtendedLifetime(copies) {} }
        for _ in 0..<8 {
            Thread.sleep(forTimeInterval: 0.002)
            guard let copy = try? before.decoded(as: State.self),
                let again = try? DataValue(encoding: next(entry, from: copy))
            else { return nil }
            copies.append(copy)
            if let (path, _, _) = value.firstDifference(from: again) { return path }
        }
        return nil
    }
}
