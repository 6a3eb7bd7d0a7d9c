// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward
internal import OnwardJournal

// A file is eight bytes that say what it is, a CBOR value, and a checksum of all that in eight
// bytes.

extension Report {
    /// The beginning of a file of any format.
    package static let signature = Array("ONWDRPT".utf8)
    /// The beginning of a file; the last byte is the version of the format.
    static let magic = signature + [UInt8(format)]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; by custom its name ends in `.onwardreport`.
    ///   - limit: The maximum number of bytes to read.
    /// - Throws: ``ReportError`` for anything that isn't a whole report, and for one above the
    ///   limit.
    /// - Complexity: O(size of the file), in time and in memory, whatever the bytes say.
    public init(contentsOf path: String, limit: Int = Report.sizeLimit) throws(ReportError) {
        let url = URL(fileURLWithPath: path)
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            bytes = Array(try handle.read(upToCount: max(limit, limit &+ 1)) ?? Data())
        } catch {
            throw ReportError(
                .foreign, "\(path) can't be read: there is no such file, or no right to read it.")
        }
        try self.init(bytes: bytes, limit: limit)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: What ``bytes(limit:)`` or another program wrote.
    ///   - limit: The maximum number of bytes to read.
    /// - Throws: ``ReportError`` for anything that isn't a whole report, and for one above the
    ///   limit.
    /// - Complexity: O(bytes), in time and in memory, whatever they say.
    public init(bytes: [UInt8], limit: Int = Report.sizeLimit) throws(ReportError) {
        guard bytes.count <= limit else { throw .tooLarge(limit) }
        guard bytes.starts(with: Self.signature) else {
            throw ReportError(.foreign, "The file is no report of Onward.")
        }
        guard bytes.count >= 16 else { throw .damaged("its end is missing") }
        guard bytes[7] == UInt8(Self.format) else {
            throw bytes[7] > UInt8(Self.format)
                ? ReportError(
                    .newer,
                    "The report has format \(bytes[7]), this program reads \(Self.format). Update it."
                )
                : .damaged("its format is \(bytes[7])")
        }
        let body = Array(bytes[..<(bytes.count - 8)])
        let sum = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard Self.checksum(body) == sum else { throw .damaged("its checksum is wrong") }
        let value: DataValue
        do {
            value = try DataFormat.cbor.value(
                of: Array(body[8...]), limits: DataLimits(bytes: limit, depth: 16, elements: limit))
        } catch {
            throw .damaged("its contents are no CBOR")
        }
        guard let report = Report(value) else { throw .damaged("a field is missing or wrong") }
        self = report
    }

    /// The report in the form of a file.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Returns: What ``init(bytes:limit:)`` reads.
    /// - Throws: ``ReportError/Code/tooLarge``. To keep a report below a limit, record less, or
    ///   make it with ``RecordedSession/report(in:redacting:migrations:limit:)``, which folds the
    ///   oldest entries into the state.
    /// - Complexity: O(size of the report).
    public func bytes(limit: Int = Report.sizeLimit) throws(ReportError) -> [UInt8] {
        var bytes = Self.magic + DataFormat.cbor.bytes(of: value)
        let sum = Self.checksum(bytes)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift)))
        }
        guard bytes.count <= limit else { throw .tooLarge(limit) }
        return bytes
    }

    /// Writes the report to a file that only the user's own account may read.
    ///
    /// - Parameters:
    ///   - path: Where to write it; an existing file is replaced as a whole.
    ///   - limit: The maximum number of bytes.
    /// - Throws: ``ReportError/Code/tooLarge``; ``ReportError/Code/unwritable``.
    /// - Complexity: O(size of the report).
    public func write(to path: String, limit: Int = Report.sizeLimit) throws(ReportError) {
        let bytes = try bytes(limit: limit)
        do {
            try SavingFile(path, limit: limit, isPrivate: true).write(bytes)
        } catch {
            throw ReportError(.unwritable, "\(path) can't be written: \(error)")
        }
    }

    /// A hash that is the same on every machine.
    static func checksum(_ bytes: [UInt8]) -> UInt64 {
        JournalSnapshot(version: 0, fingerprint: FeatureFingerprint(rawValue: 0), payload: bytes)
            .checksum
    }
}

extension ReportError {
    static func damaged(_ reason: String) -> ReportError {
        ReportError(.damaged, "The report is damaged: \(reason). Ask for it again.")
    }

    static func tooLarge(_ limit: Int) -> ReportError {
        ReportError(
            .tooLarge,
            "The report has more than \(limit) bytes. Raise the limit, or keep fewer minutes of the session."
        )
    }
}

// MARK: - Fields

extension Report {
    private var value: DataValue {
        var value: DataValue = [
            "app": .text(app), "system": .text(system), "start": start.fields,
            "entries": .list(entries.map(\.fields)), "ending": ending.value,
        ]
        if !digests.isEmpty {
            value["digests"] = .list(
                digests.sorted { $0.key < $1.key }.map { version, digest in
                    [
                        .unsigned(version),
                        .object(digest.hashes.mapValues { .unsigned($0) }),
                    ]
                })
        }
        value["hashes"] = Self.list(hashes)
        value["alarms"] = Self.list(alarms)
        if let redaction { value["redaction"] = redaction.value }
        return value
    }

    /// Numbers by version; nil if there is none.
    private static func list(_ numbers: [CommitVersion: UInt64]) -> DataValue? {
        if numbers.isEmpty { return nil }
        return .list(
            numbers.sorted { $0.key < $1.key }.map { [.unsigned($0.key), .unsigned($0.value)] })
    }

    private static func numbers(_ value: DataValue?) -> [CommitVersion: UInt64]? {
        var numbers: [CommitVersion: UInt64] = [:]
        for pair in value?.list ?? [] {
            guard let pair = pair.list, pair.count == 2,
                let version = pair[0].integer(as: CommitVersion.self),
                let number = pair[1].integer(as: UInt64.self)
            else { return nil }
            numbers[version] = number
        }
        return numbers
    }

    private init?(_ value: DataValue) {
        guard let app = value["app"]?.text, let system = value["system"]?.text,
            let start = value["start"].flatMap(JournalSnapshot.init(fields:)),
            // Far from the end of the numbers, so that whoever reads may count on.
            start.version <= CommitVersion.max / 2,
            let list = value["entries"]?.list,
            let ending = value["ending"].flatMap(Ending.init)
        else { return nil }
        var entries: [JournalEntry] = []
        entries.reserveCapacity(list.count)
        for fields in list {
            guard let entry = JournalEntry(fields: fields),
                entry.version >= (entries.last?.version ?? start.version + 1),
                entry.version <= CommitVersion.max / 2
            else { return nil }
            entries.append(entry)
        }
        self.init(from: start, entries, app: app, system: system)
        self.ending = ending
        for pair in value["digests"]?.list ?? [] {
            guard let pair = pair.list, pair.count == 2,
                let version = pair[0].integer(as: CommitVersion.self), let fields = pair[1].fields
            else { return nil }
            var hashes: [String: UInt64] = [:]
            for (path, hash) in fields {
                guard let hash = hash.integer(as: UInt64.self) else { return nil }
                hashes[path] = hash
            }
            digests[version] = StateDigest(hashes: hashes)
        }
        guard let hashes = Self.numbers(value["hashes"]),
            let alarms = Self.numbers(value["alarms"])
        else { return nil }
        (self.hashes, self.alarms) = (hashes, alarms)
        if let fields = value["redaction"] {
            guard let summary = RedactionSummary(fields) else { return nil }
            redaction = summary
        }
    }
}

extension JournalSnapshot {
    fileprivate var fields: DataValue {
        [
            .unsigned(version), .integer(Int64(schema)), .unsigned(fingerprint.rawValue),
            .bytes(payload),
        ]
    }

    fileprivate init?(fields: DataValue) {
        guard let fields = fields.list, fields.count == 4,
            let version = fields[0].integer(as: CommitVersion.self),
            let schema = fields[1].integer(as: Int.self),
            let fingerprint = fields[2].integer(as: UInt64.self),
            case .bytes(let payload) = fields[3]
        else { return nil }
        self.init(
            version: version, schema: schema,
            fingerprint: FeatureFingerprint(rawValue: fingerprint), payload: payload)
    }
}

extension JournalEntry {
    fileprivate var fields: DataValue {
        [
            .unsigned(version), .integer(Int64(kind.rawValue)), .text(name),
            .integer(Int64(schema)), .bytes(payload),
            .text(address == .root ? "" : address.description),
            parent.map { .unsigned($0) } ?? .null, .text(origin.file),
            .integer(Int64(origin.line)),
            time.map { .integer($0.nanosecondsSince1970) } ?? .null,
        ]
    }

    fileprivate init?(fields: DataValue) {
        guard let fields = fields.list, fields.count == 10,
            let version = fields[0].integer(as: CommitVersion.self),
            let kind = fields[1].integer(as: UInt8.self).flatMap(Kind.init(rawValue:)),
            let name = fields[2].text, let schema = fields[3].integer(as: Int.self),
            case .bytes(let payload) = fields[4],
            let address = fields[5].text.flatMap({ $0.isEmpty ? Address.root : Address($0) }),
            let file = fields[7].text, let line = fields[8].integer(as: Int.self)
        else { return nil }
        self.init(
            version: version, id: EntryID(high: 0, low: version), kind: kind, name: name,
            schema: schema, payload: payload, address: address,
            parent: fields[6].integer(as: CommitVersion.self),
            origin: ActionOrigin(file: file, line: line),
            time: fields[9].integer(as: Int64.self).map(Timestamp.init(nanosecondsSince1970:)))
    }
}

extension Report.Ending {
    fileprivate var value: DataValue {
        var value: DataValue = [
            "missing": .integer(Int64(missing)), "unencoded": .integer(Int64(unencoded)),
        ]
        if let reduced {
            value["reduced"] = [
                .text(reduced.name), .text(reduced.origin.file),
                .integer(Int64(reduced.origin.line)), .unsigned(reduced.version),
                reduced.payload.map { .bytes($0) } ?? .null,
            ]
        }
        return value
    }

    fileprivate init?(_ value: DataValue) {
        guard let missing = value["missing"]?.integer(as: Int.self),
            let unencoded = value["unencoded"]?.integer(as: Int.self)
        else { return nil }
        self.init()
        (self.missing, self.unencoded) = (missing, unencoded)
        guard let fields = value["reduced"] else { return }
        guard let fields = fields.list, fields.count == 5, let name = fields[0].text,
            let file = fields[1].text, let line = fields[2].integer(as: Int.self),
            let version = fields[3].integer(as: CommitVersion.self)
        else { return nil }
        reduced = Report.ReducedAction(
            name: name, origin: ActionOrigin(file: file, line: line), version: version)
        if case .bytes(let payload) = fields[4] { reduced?.payload = payload }
    }
}
