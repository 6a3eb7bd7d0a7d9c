// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward
internal import OnwardJournal

/// Encodes entries and writes them into a ring of segments.
///
/// A segment is followed by a new one when it is a quarter of the limits old or large. The new one begins with the
/// state as it is then, so that the oldest ones can go.
actor SessionWriter<State: Codable & Sendable> {
    private weak let store: Store<State>?
    private let folder: SessionFolder
    private let codec: JournalCodec<State>
    private let limits: SessionLimits
    private let options: SessionOptions

    private var alarm: RollingDigest<State>?
    /// How many entries came since the last digest.
    private var sinceAlarm = 0
    private var segment: SegmentWriter?
    private var ring = SegmentRing()
    private var handle: FileHandle?
    /// The last entry that is in the segment, or in its state.
    private var version: CommitVersion = 0
    /// A state to begin the next segment with, once the entries that it includes were written.
    private var next: SegmentStart?
    private var hasBegun = false
    /// Empty; storage for the entries that come while others are written.
    private var spare: [LogEntry] = []

    init(
        _ store: Store<State>, _ folder: SessionFolder, _ codec: JournalCodec<State>,
        _ limits: SessionLimits, _ alarm: RollingDigest<State>?, _ options: SessionOptions
    ) {
        self.alarm = alarm
        self.store = store
        self.folder = folder
        var codec = codec
        // On this device a report has to lead where the app went.
        codec.actions.revealsRedacted = true
        self.codec = codec
        self.limits = limits
        self.options = options
    }

    /// What is written at once.
    struct Batch {
        let start: (state: State, version: CommitVersion)?
        var entries: [LogEntry]
        let installed: [CommitVersion: State]
        /// Whether entries after these are missing.
        let hasGap: Bool
    }

    /// Writes what `take` hands over, which is called on the actor so that batches stay in order.
    ///
    /// - Returns: Whether there was anything.
    func write(_ take: @Sendable (_ spare: [LogEntry]) -> Batch) -> Bool {
        var batch = take(spare)
        spare = []
        if let first = batch.start {
            next = start(from: first)
            openNext()
        }
        if hasBegun, segment == nil { beginAnew() }
        let count = batch.entries.count
        for entry in batch.entries { write(entry, batch.installed[entry.version]) }
        // Its storage is used again, as long as it is in use.
        batch.entries.removeAll(keepingCapacity: count > 0)
        spare = batch.entries
        guard count > 0 || batch.start != nil || batch.hasGap else { return false }
        noteAlarm(after: count)
        flush()
        if batch.hasGap { beginAnew() }
        return true
    }

    /// Continues with the present state after entries that are missing.
    ///
    /// What was written stays: the version at which the next segment begins says how many are
    /// missing.
    private func beginAnew() {
        try? handle?.close()
        (handle, segment, next) = (nil, nil, nil)
        guard let snapshot = store?.log.snapshot else { return }
        next = start(from: snapshot)
        openNext()
    }

    private func write(_ entry: LogEntry, _ installed: State?) {
        if let next, entry.version > next.snapshot.version { openNext() }
        // What the state at the beginning includes.
        guard entry.version > version, segment != nil else { return }
        version = entry.version
        if let installed {
            let payload = (try? DataValue(revealing: installed)).map(DataFormat.cbor.bytes) ?? []
            segment?.write(bare(entry, payload), as: payload.isEmpty ? .unencoded : .install)
        } else if let written = try? codec.actions.encode(entry) {
            segment?.write(written, as: .action)
        } else {
            segment?.write(bare(entry, []), as: .unencoded)
        }
        ring.note(segment?.bytes.count ?? 0, at: entry.time)
        guard next == nil, ring.isFull(limits, at: entry.time), let snapshot = store?.log.snapshot
        else { return }
        next = start(from: snapshot)
    }

    /// Writes a digest of the state, which may include entries that are still to come.
    private func noteAlarm(after count: Int) {
        guard let spacing = alarm?.spacing else { return }
        sinceAlarm += count
        guard sinceAlarm >= spacing, let snapshot = store?.log.snapshot,
            let digest = alarm?.digest(of: snapshot.state)
        else { return }
        sinceAlarm = 0
        segment?.write(digest, at: snapshot.version)
    }

    /// An entry without an action, or whose action can't be written.
    private func bare(_ entry: LogEntry, _ payload: [UInt8]) -> JournalEntry {
        JournalEntry(
            version: entry.version, name: type(of: entry.action).actionName,
            schema: entry.kind == .travel ? schemaVersion(of: State.self) : 1, payload: payload,
            address: entry.address, parent: entry.parent, origin: entry.origin, time: entry.time)
    }

    private func start(from snapshot: (state: State, version: CommitVersion)) -> SegmentStart? {
        guard let value = try? DataValue(revealing: snapshot.state) else {
            options.failed(ReportError(.unwritable, "\(State.self) can't be encoded."))
            return nil
        }
        return SegmentStart(
            snapshot: JournalSnapshot(
                version: snapshot.version, schema: schemaVersion(of: State.self),
                fingerprint: codec.fingerprint, payload: DataFormat.cbor.bytes(of: value)),
            app: options.app, system: Report.presentSystem,
            time: store?.engine.options.wallClock() ?? Timestamp(nanosecondsSince1970: 0))
    }

    // MARK: Files

    /// Begins the next segment, and removes those that are too old.
    private func openNext() {
        guard let start = next else { return }
        hasBegun = true
        flush()
        next = nil
        try? handle?.close()
        (handle, segment) = (nil, nil)
        let number = ring.begin(start.time)
        do {
            handle = try folder.makeSegment(number)
            segment = SegmentWriter(start)
            version = start.snapshot.version
            flush()
            for old in ring.outdated(limits, at: start.time) { folder.removeSegment(old) }
        } catch {
            failed(error)
        }
    }

    private func flush() {
        guard let bytes = segment?.take(), !bytes.isEmpty else { return }
        do {
            try handle?.write(contentsOf: bytes)
            ring.wrote(bytes.count)
        } catch {
            failed(error)
        }
    }

    /// Gives up the segment; the next entries begin a new one.
    private func failed(_ error: any Error) {
        (handle, segment) = (nil, nil)
        options.failed(ReportError(.unwritable, "\(folder.path) can't be written: \(error)"))
    }
}

/// Decides when a segment is followed by the next, and which ones go: a pure machine.
struct SegmentRing: Sendable {
    private struct Segment {
        let number: Int
        let begin: Timestamp
        var bytes = 0
    }

    /// The oldest first; the last one is being written.
    private var segments: [Segment] = []
    private var count = 0
    /// The bytes of the newest one that are still to be written.
    private var pending = 0

    /// Begins a segment; its number counts from 1.
    mutating func begin(_ time: Timestamp) -> Int {
        count += 1
        pending = 0
        segments.append(Segment(number: count, begin: time))
        return count
    }

    mutating func note(_ pending: Int, at time: Timestamp?) { self.pending = pending }

    mutating func wrote(_ bytes: Int) {
        pending = 0
        guard !segments.isEmpty else { return }
        segments[segments.count - 1].bytes += bytes
    }

    /// Whether the newest segment is as old or as large as it should get.
    func isFull(_ limits: SessionLimits, at time: Timestamp?) -> Bool {
        guard let newest = segments.last else { return false }
        if newest.bytes + pending >= limits.segmentBytes { return true }
        guard let time else { return false }
        return age(newest.begin, at: time) >= limits.segmentTime
    }

    /// Takes out the segments without which the rest still reaches back far enough, or that are too many bytes.
    mutating func outdated(_ limits: SessionLimits, at time: Timestamp) -> [Int] {
        var gone: [Int] = []
        while segments.count > 1 {
            let reaches = age(segments[1].begin, at: time) >= limits.nanoseconds
            let isLarge = segments.dropLast().reduce(0) { $0 + $1.bytes } > limits.bytes
            guard reaches || isLarge else { break }
            gone.append(segments.removeFirst().number)
        }
        return gone
    }

    private func age(_ begin: Timestamp, at time: Timestamp) -> Int64 {
        time.nanosecondsSince1970 &- begin.nanosecondsSince1970
    }
}
