// SPDX-License-Identifier: MIT

public import Onward

/// Writes entries for a journal and reads them back, including old ones.
///
/// Only types that the store's features have registered are read, so nothing else can come in. An
/// action must be `Encodable` to be written and `Decodable` to be read.
///
/// An enum's case becomes part of the name, and its payload uses the labels of the case; an
/// unlabelled value is named `value`, `value1` … by its position: `GameAction/deal` with
/// `{"seed": 7}`, `GameAction/flip` with `{"value": 3}`. If a label already has such a name
/// (`ProgrammerError.Kind.fieldClash`), the payload keeps Swift's own names, `_0`, `_1` …, so nothing is
/// lost.
public struct ActionCodec: Sendable {
    /// The types that may be read.
    public let actions: ActionRegistry
    /// How payloads are written.
    public let format: DataFormat
    /// How old entries are migrated to the current schema versions.
    public let migrations: Migrations
    /// How much of a payload is read and written.
    public var limits: DataLimits
    /// Whether values marked as `Redacted` are written too: for files of this device alone.
    package var revealsRedacted = false
    private let types: KnownActions

    /// A codec for a store's actions.
    ///
    /// - Parameters:
    ///   - actions: `StoreLog.actions`.
    ///   - format: How payloads are written; a journal is read with the format it was written in.
    ///   - migrations: How old entries are migrated to the current schema versions.
    ///   - limits: How much of a payload is read.
    public init(
        for actions: ActionRegistry, format: DataFormat = .cbor,
        migrations: Migrations = Migrations(), limits: DataLimits = DataLimits()
    ) {
        self.actions = actions
        self.format = format
        self.migrations = migrations
        self.limits = limits
        types = KnownActions(actions)
    }

    /// The current schema version of the actions with a name, with or without a case.
    package func schema(of name: String) -> Int { types[name].type?.schema ?? 1 }

    // MARK: Writing

    /// Encodes an entry for a journal.
    ///
    /// - Parameters:
    ///   - entry: An entry of the kind `.action`.
    ///   - version: Its position in the journal; nil for the version that it has in the store.
    ///   - parent: The position of its parent in the journal; used only with `version`.
    ///   - id: The id for the entry; a new one by default.
    /// - Returns: The entry with its payload in the codec's format.
    /// - Throws: ``JournalError/Code/invalid`` for an action that cannot be encoded.
    /// - Complexity: O(size of the payload).
    public func encode(
        _ entry: LogEntry, as version: CommitVersion? = nil, parent: CommitVersion? = nil,
        id: EntryID = EntryID()
    ) throws(JournalError) -> JournalEntry {
        let written = try write(entry.action, at: version ?? entry.version, forJournal: true)
        if let stamp = entry.stamp { written.flat.add(stamp, at: written.payload) }
        let payload: [UInt8]
        do {
            payload = try format.bytes(of: written.flat, at: written.payload, within: limits)
        } catch {
            throw JournalError(
                .invalid, version: version ?? entry.version,
                """
                \(written.name) cannot be written into a journal, as it could not be read again: \
                \(error). To write it, raise the limits of the ActionCodec.
                """)
        }
        try checkNames(written, entry.action, at: version ?? entry.version)
        return JournalEntry(
            version: version ?? entry.version, id: id, name: written.name,
            schema: written.type.schema, payload: payload, address: entry.address,
            parent: version == nil ? entry.parent : parent, origin: entry.origin, time: entry.time)
    }

    /// Encodes an action with a readable payload.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for an action that cannot be encoded.
    public func record(
        of action: any Action, at version: CommitVersion? = nil
    ) throws(JournalError) -> ActionRecord {
        let written = try write(action, at: version, forJournal: false)
        let payload = written.flat.value(at: written.payload)
        try checkNames(written, action, at: version)
        return ActionRecord(
            type: written.type.name, caseName: written.caseName, schema: written.type.schema,
            payload: payload)
    }

    /// Refuses an action if one of two fields with the same name is lost.
    private func checkNames(
        _ written: Written, _ action: any Action, at version: CommitVersion?
    ) throws(JournalError) {
        guard written.flat.hasRepeatedNames else { return }
        do {
            try written.type.checkNames(action)
        } catch {
            throw unwritable(action, error, at: version)
        }
    }

    private func unwritable(
        _ action: any Action, _ error: any Error, at version: CommitVersion?
    ) -> JournalError {
        JournalError(
            .invalid, version: version,
            "\(action.wireName) cannot be written into a journal: \(Self.reason(error)).")
    }

    /// An action that was encoded.
    private struct Written {
        let type: KnownAction
        let flat: FlatValue
        /// Where its payload is; for an enum, where the payload of its case is.
        var payload = FlatValue.root
        var caseName: String?
        /// The name of the type; for an enum, followed by "/" and the case.
        var name: String
    }

    private func write(
        _ action: any Action, at version: CommitVersion?, forJournal isForJournal: Bool
    ) throws(JournalError) -> Written {
        let swiftType = type(of: action)
        let known = types[swiftType]
        if known == nil, let owner = actions.type(named: swiftType.actionName) {
            throw JournalError(
                .invalid, version: version,
                """
                \(String(reflecting: swiftType)) cannot be written into a journal, as the store knows \
                \(String(reflecting: owner)) by its name, "\(swiftType.actionName)", and would read it as that. \
                To fix this, give one of them another `static var actionName`.
                """)
        }
        let type = known ?? KnownAction(swiftType, named: swiftType.actionName)
        let flat: FlatValue?
        do {
            flat = try type.encode(
                action, revealing: revealsRedacted, forJournal: isForJournal)
        } catch {
            throw unwritable(action, error, at: version)
        }
        guard let flat else {
            throw JournalError(
                .invalid, version: version,
                """
                \(type.name) cannot be written into a journal, as it is not Encodable. To fix \
                this, declare `extension \(type.name): Codable {}`, or keep such actions out of \
                the log with a middleware.
                """)
        }
        return split(flat, of: action, type)
    }

    /// Separates the case of an enum from its payload.
    private func split(_ flat: FlatValue, of action: any Action, _ type: KnownAction) -> Written {
        var written = Written(type: type, flat: flat, name: type.name)
        switch flat.kind(of: FlatValue.root) {
        case .object where flat.count(in: FlatValue.root) == 1:
            guard let field = flat.first(in: FlatValue.root), flat.kind(of: field) == .object,
                Self.isPlain(flat.name(of: field)),
                let name = type.name(ofCase: flat.name(of: field), of: action)
            else { break }
            (written.caseName, written.name) = (flat.name(of: field), name)
            written.payload = field
        case .leaf:
            guard case .text(let caseName) = flat.leaf(at: FlatValue.root),
                Self.isPlain(caseName), let name = type.name(ofCase: caseName, of: action)
            else { break }
            (written.caseName, written.name) = (caseName, name)
            written.payload = flat.appendLoose("", to: FlatValue.root)
        default: break
        }
        return written
    }

    /// Whether the name of a case, or a raw value, can be part of a name.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 256 && !name.utf8.contains(UInt8(ascii: "/"))
    }

    // MARK: Reading

    /// Decodes the entries that a journal entry has become: itself or what migrations made of it,
    /// or none if it holds no action.
    ///
    /// - Returns: Entries with the version and the other details of the journal's entry.
    /// - Throws: ``JournalError/Code/unreadable``, naming the entry, the reason and how to fix it.
    /// - Complexity: O(size of the payload + migrations).
    public func decode(_ entry: JournalEntry) throws(JournalError) -> [LogEntry] {
        var entries: [LogEntry] = []
        try decode(entry, into: &entries)
        return entries
    }

    /// Decodes a journal's entries in order; the policy decides about any that cannot be decoded.
    ///
    /// - Throws: ``JournalError/Code/unreadable`` with the policy ``UnreadableEntryPolicy/fail``.
    public func decode(
        _ entries: some Sequence<JournalEntry>, whenUnreadable policy: UnreadableEntryPolicy = .fail
    ) throws(JournalError) -> [LogEntry] {
        var decoded: [LogEntry] = []
        decoded.reserveCapacity(entries.underestimatedCount)
        for entry in entries {
            do {
                try decode(entry, into: &decoded)
            } catch {
                guard case .quarantine(let report) = policy else { throw error }
                report(QuarantinedEntry(entry, because: error, format))
            }
        }
        return decoded
    }

    /// Decodes the action of a record that is at the current schema version.
    ///
    /// - Throws: ``JournalError/Code/unreadable``.
    public func action(of record: ActionRecord) throws(JournalError) -> any Action {
        try action(of: Read(record, types), in: nil)
    }

    /// Splits a name into the type and, for an enum, the case.
    static func parts(of name: String) -> (type: String, caseName: String?) {
        guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (name, nil) }
        return (String(name[..<slash]), String(name[name.utf8.index(after: slash)...]))
    }

    /// An action that is about to be decoded.
    private struct Read {
        let name: String
        let known: KnownActions.Name
        let schema: Int
        let flat = FlatValue()
        /// Where the payload is put, so that the whole matches what the type encodes.
        let payload: FlatValue.Place

        init(_ name: String, _ known: KnownActions.Name, schema: Int) {
            (self.name, self.known, self.schema) = (name, known, schema)
            if let caseName = known.caseName {
                payload = flat.append(caseName, to: FlatValue.root)
            } else {
                payload = FlatValue.root
            }
        }

        init(_ record: ActionRecord, _ types: KnownActions) {
            let type = types.type(named: record.type)
            self.init(
                record.name, KnownActions.Name(type: type, caseName: record.caseName),
                schema: record.schema)
            flat.set(record.payload, at: payload)
        }
    }

    private func decode(_ entry: JournalEntry, into entries: inout [LogEntry]) throws(JournalError)
    {
        guard entry.hasAction else { return }
        guard !migrations.changeActions else {
            let (records, stamp) = try migrated(entry)
            for (index, record) in records.enumerated() {
                let action = try action(of: Read(record, types), in: entry)
                let stamp = stamp ?? self.stamp(of: entry, record.type)
                entries.append(LogEntry(entry, action, stamp?.part(index), by: migrations))
            }
            return
        }
        let read = Read(entry.name, types[entry.name], schema: entry.schema)
        try self.read(entry, into: read.flat, at: read.payload)
        let stamp = read.flat.takeStamp(at: read.payload)
        let action = try action(of: read, in: entry)
        entries.append(
            LogEntry(
                entry, action, stamp ?? self.stamp(of: entry, read.known.type?.name ?? ""),
                by: migrations))
    }

    /// The stamp of an entry that was written before a reducer asked for it; nil where none does.
    private func stamp(of entry: JournalEntry, _ type: String) -> EntryStamp? {
        guard actions.asksForStamp(type) else { return nil }
        return EntryStamp(
            seed: entry.id.high ^ entry.id.low &* 0x9E37_79B9_7F4A_7C15,
            time: entry.time ?? Timestamp(nanosecondsSince1970: 0))
    }

    private func migrated(
        _ entry: JournalEntry
    ) throws(JournalError) -> (records: [ActionRecord], stamp: EntryStamp?) {
        let (type, caseName) = Self.parts(of: entry.name)
        let payload = FlatValue()
        try read(entry, into: payload, at: FlatValue.root)
        let stamp = payload.takeStamp(at: FlatValue.root)
        let record = ActionRecord(
            type: type, caseName: caseName, schema: entry.schema, payload: payload.value())
        do {
            return (try migrations.apply(to: record), stamp)
        } catch {
            throw unreadable(
                entry.name, entry, "a migration failed: \(Self.reason(error))",
                "Mend the migration of \"\(record.type)\".")
        }
    }

    private func read(
        _ entry: JournalEntry, into flat: FlatValue, at place: FlatValue.Place
    ) throws(JournalError) {
        do {
            try format.read(entry.payload, into: flat, at: place, limits)
        } catch {
            throw unreadable(
                entry.name, entry, "its payload is no \(format.rawValue.uppercased()): \(error)",
                "Was the journal written with another format?")
        }
    }

    private func action(of read: Read, in entry: JournalEntry?) throws(JournalError) -> any Action {
        let name = read.name
        guard let type = read.known.type else {
            throw unreadable(
                name, entry, "no feature handles actions of that name",
                "Add the feature, or a migration that renames or drops \"\(Self.parts(of: name).type)\"."
            )
        }
        let schema = type.schema
        guard read.schema == schema else {
            if let entry, entry.schema <= schema, read.schema > schema {
                throw unreadable(
                    name, entry,
                    "a migration leads to schema version \(read.schema), the type has \(schema)",
                    "Raise its schemaVersion, or take the step out.")
            }
            throw unreadable(
                name, entry,
                "it was written with schema version \(read.schema), the type has \(schema)",
                read.schema < schema
                    ? "Add a migration of \"\(type.name)\" from version \(read.schema)."
                    : "Read it with the newer program that wrote it.")
        }
        guard let decodable = type.decodable else {
            throw unreadable(
                name, entry, "its type is not Decodable",
                "Declare `extension \(type.name): Codable {}`.")
        }
        if let caseName = read.known.caseName, case .null = read.flat.leaf(at: read.payload) {
            read.flat.set(.text(caseName), at: FlatValue.root)
        }
        do {
            return try DataDecoder(read.flat).read(decodable)
        } catch DecodingError.typeMismatch(_, let context)
            where context.codingPath.isEmpty && read.known.caseName != nil
        {
            throw unreadable(
                name, entry, "the type has no such case",
                "If a case has got another name, raise schemaVersion and add a migration.")
        } catch {
            throw unreadable(
                name, entry, Self.reason(error),
                "If its fields have changed, raise schemaVersion and add a migration.")
        }
    }

    // MARK: Reasons

    /// Whether a newer program has written an entry: its type has a lower schema version here.
    func isNewer(_ entry: JournalEntry) -> Bool {
        guard entry.schema > 1, entry.hasAction, let type = types[entry.name].type else {
            return false
        }
        return entry.schema > type.schema
    }

    func newer(_ entry: JournalEntry) -> JournalError {
        JournalError(
            .newer, version: entry.version,
            """
            Entry \(entry.version), "\(entry.name.prefix(200))", was written by a newer version of this program: \
            it has schema version \(entry.schema), the type has \(schema(of: entry.name)). Nothing was changed. \
            Open the journal with the newer program.
            """)
    }

    /// Why an entry can't be replayed if no feature at its address handles it any more.
    func unhandled(_ entry: JournalEntry) -> JournalError {
        let address = migrations.address(entry.address)
        return JournalError(
            .unreadable, version: entry.version,
            """
            Entry \(entry.version), "\(entry.name.prefix(200))", cannot be replayed: no feature at its address, \
            "\(address)", handles it. If a scope on the way there has another name now, add \
            `migrations.rename(scope: "\(address.scopes)", to: …)`; if it is gone, a migration that drops \
            "\(Self.parts(of: entry.name).type)".
            """)
    }

    /// Why an entry can't be replayed whose address may mean one of several rows.
    func ambiguous(_ entry: JournalEntry, _ row: RowKey) -> JournalError {
        JournalError(
            .unreadable, version: entry.version,
            """
            Entry \(entry.version), "\(entry.name.prefix(200))", cannot be replayed: its address, \
            "\(entry.address)", names a row by "\(row.text)", as an earlier version of this library wrote ids, \
            and several rows have ids with that description. Nothing says which one was meant. To leave such \
            entries out, restore with `whenUnreadable: .quarantine`.
            """)
    }

    /// Throws for an entry whose address would not lead back to its rows.
    ///
    /// Calls the coding and the `==` of ids.
    package static func check(_ address: Address, of entry: CommitVersion? = nil)
        throws(JournalError)
    {
        guard address != .root, let row = address.unreadableRow else { return }
        throw JournalError(
            .invalid, version: entry,
            """
            The address "\(address)" cannot be written into a journal: "\(row.text)", which the id of its \
            row is encoded as, is not decoded as that id again. To fix this, have the id's `encode(to:)` \
            write all that its `==` compares, and its `init(from:)` read it.
            """)
    }

    private func unreadable(
        _ name: String, _ entry: JournalEntry?, _ reason: String, _ fix: String
    ) -> JournalError {
        let place = entry.map { "Entry \($0.version), " } ?? ""
        return JournalError(
            .unreadable, version: entry?.version,
            "\(place)\"\(name.prefix(200))\", cannot be decoded: \(reason). \(fix)")
    }

    /// Why something could not be encoded or decoded, in words.
    static func reason(_ error: any Error) -> String {
        let context: (path: [any CodingKey], text: String)? =
            switch error {
            case DecodingError.typeMismatch(_, let context),
                DecodingError.valueNotFound(_, let context),
                DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
                (context.codingPath, context.debugDescription)
            case EncodingError.invalidValue(_, let context):
                (context.codingPath, context.debugDescription)
            default: nil
            }
        guard let context else { return "\(error)" }
        let path = context.path.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.text : "\(path): \(context.text)"
    }
}

extension LogEntry {
    /// An entry of a journal, with its action.
    fileprivate init(
        _ entry: JournalEntry, _ action: any Action, _ stamp: EntryStamp?, by migrations: Migrations
    ) {
        self.init(
            version: entry.version, action: action,
            address: migrations.address(entry.address), parent: entry.parent,
            origin: entry.origin, time: entry.time, stamp: stamp)
    }
}
