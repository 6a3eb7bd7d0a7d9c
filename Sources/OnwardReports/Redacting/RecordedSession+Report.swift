// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
public import OnwardJournal

extension RecordedSession {
    /// Makes a report that may leave the device.
    ///
    /// Everything that the redaction doesn't allow is replaced by stand-ins. Then both logs are
    /// folded on this device, and ``Report/redaction`` says whether the redacted one takes the same
    /// course, as far as ``Redaction/checking(_:_:)`` asks for it. The digests are those of the
    /// redacted fold. Let people read the report before they send it: ``Report/text(lines:)``.
    ///
    /// - Parameters:
    ///   - feature: The features of the app; only their reducers run.
    ///   - redaction: What may leave the device.
    ///   - migrations: Migrations of what an older version of the app recorded to the present
    ///     schema versions.
    ///   - limit: The maximum number of bytes; the oldest entries are folded into the state until
    ///     the rest fits.
    /// - Returns: The report; write it with ``Report/write(to:limit:)``.
    /// - Throws: ``ReportError/Code/unknownAction`` if a rule of the redaction is about an action
    ///   that the features don't handle; ``ReportError/Code/unreadable``;
    ///   ``ReportError/Code/tooLarge``.
    /// - Complexity: O(size of the session + entries × size of the state, up to some 8 MiB of
    ///   states).
    public func report<State: Codable & Sendable>(
        in feature: some Part<State>, redacting redaction: Redaction<State> = Redaction(),
        migrations: Migrations = Migrations(), limit: Int = Report.sizeLimit
    ) throws(ReportError) -> Report {
        let start = try StateCodec<State>(migrations: migrations).start(of: unredacted)
        let making = ReportMaking(
            unredacted, by: Store.folding(feature, from: start), redaction, migrations)
        return try making.report(limit: limit)
    }
}

/// Makes a redacted report of a session, and shows that it takes the same course.
private struct ReportMaking<State: Codable & Sendable> {
    private let session: Report
    private let store: Store<State>
    private let redaction: Redaction<State>
    private let migrations: Migrations
    private let codec: ActionCodec

    init(
        _ session: Report, by store: Store<State>, _ redaction: Redaction<State>,
        _ migrations: Migrations
    ) {
        self.session = session
        self.store = store
        self.redaction = redaction
        self.migrations = migrations
        var codec = ActionCodec(for: store.log.actions)
        codec.revealsRedacted = true
        self.codec = codec
    }

    func report(limit: Int) throws(ReportError) -> Report {
        try redaction.check(store.log.actions)
        let (start, entries) = try session.decoded(by: store, migrations)
        var redactor = Redactor(redaction)
        for entry in entries { if let stamp = entry.stamp { redactor.keepIDs(of: stamp) } }
        let state: DataValue
        var records: [ActionRecord] = []
        do {
            state = try redactor.redacted(start)
            for entry in entries { records.append(try record(of: entry.action, &redactor)) }
        } catch {
            throw ReportError(
                .unreadable,
                "The session can't be encoded by these features, so it can't be redacted either.")
        }
        var ending = session.ending
        if let reduced = ending.reduced {
            ending.reduced?.payload = reduced.payload.flatMap { redacted($0, &redactor) }
        }
        let version = (entries.first?.version).map { $0 - 1 } ?? session.start.version
        let fingerprint = FeatureFingerprint(rawValue: session.fingerprint.rawValue)
        var report = Report(
            from: JournalSnapshot(
                version: version, schema: schemaVersion(of: State.self), fingerprint: fingerprint,
                payload: DataFormat.cbor.bytes(of: state)),
            zip(entries, records).map { entry, record in
                JournalEntry(
                    version: entry.version, id: EntryID(high: 0, low: entry.version),
                    kind: entry.action is Reinstalled<State> ? .install : .action,
                    name: record.name, schema: record.schema,
                    payload: DataFormat.cbor.bytes(
                        of:
                            record.payload.stamped(entry.stamp.map { redactor.redacted($0) })),
                    address: redactor.redacted(entry.address), parent: entry.parent,
                    origin: entry.origin, time: entry.time)
            }, app: session.app, system: session.system)
        report.ending = ending
        report.redaction = RedactionSummary(
            replaced: redactor.standIns.replaced, standIns: redactor.standIns.count, course: .same,
            questions: redaction.predicates.map(\.name))
        var unmatched = redactor.unmatched
        report = proven(report, start, entries, redactor.standIns, &unmatched)
        report.redaction?.unmatched = unmatched.descriptions
        return try fitted(report, limit)
    }

    /// What a report has of an action, or of a state that was installed, with stand-ins.
    private func record(
        of action: any Action, _ redactor: inout Redactor<State>
    ) throws -> ActionRecord {
        guard let installed = action as? Reinstalled<State> else {
            return try redactor.redacted(try codec.record(of: action), of: action)
        }
        var payload = try redactor.redacted(installed.state)
        if installed.isWrittenByRecorder { payload = ["state": payload] }
        if let missing = installed.missing { payload["missing"] = missing.value }
        return ActionRecord(
            type: installed.entryName, caseName: nil, schema: schemaVersion(of: State.self),
            payload: payload)
    }

    /// The payload of the fatal action with stand-ins; nil if it can't be read.
    private func redacted(_ payload: [UInt8], _ redactor: inout Redactor<State>) -> [UInt8]? {
        guard let fields = (try? DataFormat.cbor.value(of: payload))?.list, fields.count == 2,
            let name = fields[0].text,
            let entry = try? codec.decode(
                JournalEntry(
                    version: 1, name: name, schema: codec.schema(of: name),
                    payload: DataFormat.cbor.bytes(of: fields[1]))
            ).first,
            let record = try? codec.record(of: entry.action),
            let redacted = try? redactor.redacted(record, of: entry.action)
        else { return nil }
        return DataFormat.cbor.bytes(of: [.text(redacted.name), redacted.payload])
    }

    /// Folds both logs side by side, until they take different courses, and notes the digests of
    /// the redacted one.
    ///
    /// A rule about the state may be about what an entry adds to it.
    private func proven(
        _ report: Report, _ start: State, _ entries: [LogEntry], _ standIns: StandIns,
        _ unmatched: inout UnmatchedRules<State>
    ) -> Report {
        var report = report
        func ended(_ course: RedactionSummary.Course) -> Report {
            report.redaction?.course = course
            return report
        }
        guard var other = try? StateCodec<State>().decode(report.start) else {
            return ended(.unreadable(report.start.version))
        }
        if let course = difference(start, other, standIns, after: report.start.version) {
            return ended(course)
        }
        let states = StateCodec<State>()
        var state = start
        var course = RedactionSummary.Course.same
        var spacing = HashSpacing(count: entries.count)
        for (index, entry) in entries.enumerated() {
            guard let decoded = try? report.decoded(report.entries[index], codec, states) else {
                return ended(course == .same ? .unreadable(entry.version) : course)
            }
            var handled = (true, true)
            state = store.log.replay(CollectionOfOne(entry), from: state) { _, _ in
                handled.0 = false
            }
            other = store.log.replay(decoded, from: other) { _, _ in handled.1 = false }
            if course == .same {
                if handled.0 != handled.1 {
                    course = .handled(entry.version)
                } else if let found = difference(state, other, standIns, after: entry.version) {
                    course = found
                }
            }
            guard spacing.isDue(index), let value = try? DataValue(encoding: other) else {
                continue
            }
            if unmatched.hasStates { unmatched.note(state: value) }
            let bytes = DataFormat.cbor.bytes(of: value)
            report.hashes[entry.version] = Report.checksum(bytes)
            if spacing.note(index, bytes.count) {
                report.digests[entry.version] = StateDigest(of: value)
            }
        }
        return ended(course)
    }

    /// How two states show that they are on different courses; nil if they don't.
    private func difference(
        _ state: State, _ other: State, _ standIns: StandIns, after version: CommitVersion
    ) -> RedactionSummary.Course? {
        guard ShownRoutes(in: state).agree(with: ShownRoutes(in: other), by: standIns) else {
            return .routes(version)
        }
        return redaction.predicates.first { $0.answer(state) != $0.answer(other) }
            .map { .answer(version, predicate: $0.name) }
    }

    /// Folds the oldest entries into the state, half of them at a time, until the rest fits.
    private func fitted(_ report: Report, _ limit: Int) throws(ReportError) -> Report {
        var report = report
        while (try? report.bytes(limit: limit)) == nil {
            guard !report.entries.isEmpty, let start = try? StateCodec<State>().decode(report.start)
            else { throw .tooLarge(limit) }
            let old = report.entries.prefix((report.entries.count + 1) / 2)
            guard let last = old.last,
                let entries = try? old.flatMap({
                    try report.decoded($0, codec, StateCodec<State>())
                }),
                let value = try? DataValue(revealing: store.log.replay(entries, from: start))
            else { throw .tooLarge(limit) }
            report.start = JournalSnapshot(
                version: last.version, schema: report.start.schema,
                fingerprint: report.fingerprint, payload: DataFormat.cbor.bytes(of: value))
            // What is folded into the state is no longer missing.
            report.ending.missing -= old.reduce(0) { $0 + ($1.missing?.count ?? 0) }
            report.entries.removeFirst(old.count)
            report.hashes = report.hashes.filter { $0.key > last.version }
            report.digests = report.digests.filter { $0.key > last.version }
        }
        return report
    }
}

/// After which entries the state is hashed: after each as long as states are small, and so that
/// some 8 MiB of them are hashed otherwise, whatever the length of the log.
struct HashSpacing {
    private let count: Int
    private var bytes = 8 << 20
    private var next = 0
    private var nextDigest = 99

    init(count: Int) { self.count = count }

    func isDue(_ index: Int) -> Bool { index >= next || index == count - 1 }

    /// Notes that a state of so many bytes was hashed; whether it is time for a digest, too.
    mutating func note(_ index: Int, _ size: Int) -> Bool {
        bytes -= size
        let rest = count - index
        next = index + (bytes > 0 ? max(1, rest / max(1, bytes / max(1, size))) : rest)
        guard index >= nextDigest || index == count - 1 else { return false }
        nextDigest = index - index % 100 + 199
        return true
    }
}

extension DataValue {
    /// A hash that is the same on every machine.
    var hash: UInt64 { Report.checksum(DataFormat.cbor.bytes(of: self)) }
}
