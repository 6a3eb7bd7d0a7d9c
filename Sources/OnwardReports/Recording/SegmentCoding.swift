// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// What a segment of a recording consists of.
///
/// A segment is eight bytes that say what it is, and frames: the length of a body, four bytes of its checksum, the
/// body. The first body is the state, the others are entries. A program that is killed leaves a torn frame at the end,
/// which is not read. Texts that come again, such as names, are written once and then counted, so an entry takes some
/// 16 bytes besides its payload.
enum SegmentFormat {
    static let version: UInt8 = 1
    static let magic = Array("ONWDSEG".utf8) + [version]

    /// What a frame stands for.
    enum Kind: UInt8 {
        case action = 1
        case install = 2
        /// An action that could not be encoded.
        case unencoded = 3
        /// A digest of the state.
        case digest = 4
    }

    /// The part of the checksum that a frame has.
    static func checksum(_ body: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: Report.checksum(body) >> 32)
    }
}

/// The beginning of a segment: a state, and where it comes from.
struct SegmentStart: Sendable, Hashable {
    var snapshot: JournalSnapshot
    var app: String
    var system: String
    /// When the segment began.
    var time: Timestamp

    var value: DataValue {
        [
            "app": .text(app), "system": .text(system), "time": .integer(time.nanosecondsSince1970),
            "version": .unsigned(snapshot.version), "schema": .integer(Int64(snapshot.schema)),
            "fingerprint": .unsigned(snapshot.fingerprint.rawValue),
            "state": .bytes(snapshot.payload),
        ]
    }
}

extension SegmentStart {
    init?(_ value: DataValue) {
        guard let app = value["app"]?.text, let system = value["system"]?.text,
            let time = value["time"]?.integer(as: Int64.self),
            let version = value["version"]?.integer(as: CommitVersion.self),
            let schema = value["schema"]?.integer(as: Int.self),
            let fingerprint = value["fingerprint"]?.integer(as: UInt64.self),
            case .bytes(let payload)? = value["state"]
        else { return nil }
        self.init(
            snapshot: JournalSnapshot(
                version: version, schema: schema,
                fingerprint: FeatureFingerprint(rawValue: fingerprint), payload: payload),
            app: app, system: system, time: Timestamp(nanosecondsSince1970: time))
    }
}

/// Writes the frames of one segment: a pure machine, whose bytes are taken now and then.
struct SegmentWriter {
    private(set) var bytes: [UInt8]
    private var texts: [String: UInt64] = [:]
    private var version: CommitVersion
    private var time: Int64

    init(_ start: SegmentStart) {
        bytes = SegmentFormat.magic
        version = start.snapshot.version
        time = start.time.nanosecondsSince1970 / 1_000
        append(DataFormat.cbor.bytes(of: start.value))
    }

    /// Takes what was written since the last time.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func write(_ entry: JournalEntry, as kind: SegmentFormat.Kind) {
        var body: [UInt8] = [kind.rawValue | (entry.time == nil ? 0 : 0x80)]
        put(entry.version &- version, in: &body)
        put(entry.name, in: &body)
        put(UInt64(max(entry.schema, 0)), in: &body)
        put(entry.address == .root ? "" : entry.address.description, in: &body)
        put(entry.parent.map { entry.version &- $0 } ?? 0, in: &body)
        put(entry.origin.file, in: &body)
        put(UInt64(max(entry.origin.line, 0)), in: &body)
        if let next = entry.time {
            let next = next.nanosecondsSince1970 / 1_000
            let step = next &- time
            put(UInt64(bitPattern: step << 1 ^ step >> 63), in: &body)
            time = next
        }
        put(UInt64(entry.payload.count), in: &body)
        body += entry.payload
        version = entry.version
        append(body)
    }

    /// Writes the digest of a state that includes the entry that was written last.
    mutating func write(_ digest: UInt64, at version: CommitVersion) {
        var body = [SegmentFormat.Kind.digest.rawValue]
        put(version, in: &body)
        put(digest, in: &body)
        append(body)
    }

    private mutating func append(_ body: [UInt8]) {
        put(UInt64(body.count), in: &bytes)
        let sum = SegmentFormat.checksum(body)
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift)))
        }
        bytes += body
    }

    /// A text, or the number of one that was written before.
    private mutating func put(_ text: String, in body: inout [UInt8]) {
        if let number = texts[text] { return put(number, in: &body) }
        texts[text] = UInt64(texts.count + 1)
        put(0 as UInt64, in: &body)
        put(UInt64(text.utf8.count), in: &body)
        body += text.utf8
    }

    /// Seven bits a byte, the lowest first.
    private func put(_ number: UInt64, in body: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            body.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        body.append(UInt8(rest))
    }
}

/// What a segment has, up to the first frame that is torn or damaged.
struct Segment: Sendable {
    let start: SegmentStart
    private(set) var entries: [JournalEntry] = []
    /// The versions of entries of which only the name is there.
    private(set) var unencoded: [CommitVersion] = []
    private(set) var digests: [CommitVersion: UInt64] = [:]
    /// The version of the last entry; that of the state where there is none.
    private(set) var end: CommitVersion

    /// Reads a segment; nil where not even its state can be read.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: SegmentFormat.magic) else { return nil }
        var frames = ByteReader(bytes[SegmentFormat.magic.count...])
        guard let first = Self.body(&frames),
            let value = try? DataFormat.cbor.value(
                of: first, limits: DataLimits(bytes: 256 << 20)),
            let start = SegmentStart(value)
        else { return nil }
        self.start = start
        end = start.snapshot.version
        var texts: [String] = []
        var time = start.time.nanosecondsSince1970 / 1_000
        while let body = Self.body(&frames) {
            var reader = ByteReader(body[...])
            guard read(&reader, &texts, &time) else { return }
        }
    }

    private static func body(_ reader: inout ByteReader) -> [UInt8]? {
        guard let count = reader.number(), let sum = reader.bytes(4),
            let body = reader.bytes(count)
        else { return nil }
        let expected = sum.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return SegmentFormat.checksum(Array(body)) == expected ? Array(body) : nil
    }

    private mutating func read(
        _ reader: inout ByteReader, _ texts: inout [String], _ time: inout Int64
    ) -> Bool {
        guard let head = reader.bytes(1)?.first,
            let kind = SegmentFormat.Kind(rawValue: head & 0x7F)
        else { return false }
        if kind == .digest {
            guard let version = reader.number(), let digest = reader.number() else { return false }
            digests[version] = digest
            return true
        }
        guard let step = reader.number(), let name = reader.text(&texts),
            let schema = reader.number(), let address = reader.text(&texts),
            let parent = reader.number(), let file = reader.text(&texts),
            let line = reader.number(), schema < UInt64(Int32.max), line < UInt64(Int32.max)
        else { return false }
        if head & 0x80 != 0 {
            guard let zigzag = reader.number() else { return false }
            time &+= Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
        }
        guard let count = reader.number(), let payload = reader.bytes(count),
            let place = address.isEmpty ? Address.root : Address(address)
        else { return false }
        let (version, isTooBig) = end.addingReportingOverflow(step)
        guard step > 0, !isTooBig else { return false }
        end = version
        let (moment, isTooLate) = time.multipliedReportingOverflow(by: 1_000)
        entries.append(
            JournalEntry(
                version: version, id: EntryID(high: 0, low: version),
                kind: kind == .install ? .install : kind == .action ? .action : .erased,
                name: kind == .unencoded ? "" : name, schema: Int(schema), payload: Array(payload),
                address: place, parent: parent == 0 ? nil : version &- parent,
                origin: ActionOrigin(file: file, line: Int(line)),
                time: head & 0x80 == 0 || isTooLate
                    ? nil : Timestamp(nanosecondsSince1970: moment)))
        if kind == .unencoded { unencoded.append(version) }
        return true
    }
}

/// Reads numbers, bytes and texts; nil at the end.
private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, through: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    mutating func text(_ texts: inout [String]) -> String? {
        guard let number = number() else { return nil }
        guard number == 0 else {
            return number <= UInt64(texts.count) ? texts[Int(number) - 1] : nil
        }
        guard let count = self.number(), let bytes = bytes(count) else { return nil }
        texts.append(String(decoding: bytes, as: UTF8.self))
        return texts[texts.count - 1]
    }
}
