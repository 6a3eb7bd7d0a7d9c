// SPDX-License-Identifier: MIT

public import Onward

/// Writes entries for a journal and reads them again, old ones included.
///
/// Only types that the store's features registered are read, so nothing else comes in. An action that
/// is to be written must be `Encodable`; one that is to be read, `Decodable`.
///
/// In writing, an enum's case is part of the name, and its payload has the labels of the case, or
/// `value`, `value1` … by its position for what has none: `GameAction/deal` with `{"seed": 7}`,
/// `GameAction/flip` with `{"value": 3}`. Where a label has such a name already, which is
/// `Misuse.Kind.fieldClash`, the payload keeps Swift's own name, `_0`, `_1` …, so nothing is lost.
public struct ActionCodec: Sendable {
    /// The types that may be read.
    public let actions: ActionRegistry
    /// How payloads are written.
    public let format: DataFormat
    /// How old entries are brought to the present schema versions.
    public let migrations: Migrations
    /// How much of a payload is read and written.
    public var limits: DataLimits
    /// Whether what `Redacted` marks is written, too: for files of this device alone.
    package var revealsRedacted = false
    /// What is known of the registered types, as finding it out takes longer than coding an action.
    private let kinds: [String: Kind]
    private let names: [ObjectIdentifier: (name: String, schema: Int)]
    /// Whether types are enums, as far as actions of them were written.
    private let enums = Guarded<[ObjectIdentifier: Bool]>([:])

    /// A registered type.
    private struct Kind: Sendable {
        let schema: Int
        let decodable: (any (Action & Decodable).Type)?
    }

    /// A codec for a store's actions.
    ///
    /// - Parameters:
    ///   - actions: `StoreLog.actions`.
    ///   - format: How payloads are written; a journal is read with the format it was written in.
    ///   - migrations: How old entries are brought to the present schema versions.
    ///   - limits: How much of a payload is read.
    public init(
        for actions: ActionRegistry, format: DataFormat = .cbor,
        migrations: Migrations = Migrations(), limits: DataLimits = DataLimits()
    ) {
        self.actions = actions
        self.format = format
        self.migrations = migrations
        self.limits = limits
        var kinds: [String: Kind] = [:]
        var names: [ObjectIdentifier: (name: String, schema: Int)] = [:]
        for name in actions.names {
            guard let type = actions.type(named: name) else { continue }
            let schema = schemaVersion(of: type)
            kinds[name] = Kind(
                schema: schema, decodable: type as? any (Action & Decodable).Type)
            names[ObjectIdentifier(type)] = (name, schema)
        }
        (self.kinds, self.names) = (kinds, names)
    }

    /// The schema version that actions of a name, with or without a case, have now.
    package func schema(of name: String) -> Int { kinds[Self.parts(of: name).type]?.schema ?? 1 }

    // MARK: Writing

    /// An entry as a journal keeps it.
    ///
    /// - Parameters:
    ///   - entry: An entry of the kind `.action`.
    ///   - version: Its position in the journal; nil for the version that it has in the store.
    ///   - parent: The position of its parent in the journal; counts only with `version`.
    ///   - id: The id that the entry gets; a new one where none is given.
    /// - Returns: The entry with its payload in the codec's format.
    /// - Throws: ``JournalError/Code/invalid`` for an action that cannot be encoded.
    /// - Complexity: O(size of the payload).
    public func encode(
        _ entry: Entry, as version: Version? = nil, parent: Version? = nil,
        id: EntryID = EntryID()
    ) throws(JournalError) -> JournalEntry {
        let record = try record(of: entry.action, at: version ?? entry.version)
        let payload: [UInt8]
        do {
            payload = try format.bytes(of: record.payload, within: limits)
        } catch {
            throw JournalError(
                .invalid, version: version ?? entry.version,
                """
                \(record.name) cannot be written into a journal, as it could not be read again: \
                \(error). To write it, raise the limits of the ActionCodec.
                """)
        }
        return JournalEntry(
            version: version ?? entry.version, id: id, name: record.name,
            schema: record.schema, payload: payload, address: entry.address,
            parent: version == nil ? entry.parent : parent, origin: entry.origin, time: entry.time)
    }

    /// An action with its payload readable.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for an action that cannot be encoded.
    public func record(
        of action: any Action, at version: Version? = nil
    ) throws(JournalError) -> ActionRecord {
        let type = type(of: action)
        let known = names[ObjectIdentifier(type)]
        if known == nil, let owner = actions.type(named: type.actionName) {
            throw JournalError(
                .invalid, version: version,
                """
                \(String(reflecting: type)) cannot be written into a journal, as the store knows \
                \(String(reflecting: owner)) by its name, "\(type.actionName)", and would read it as that. \
                To fix this, give one of them another `static var actionName`.
                """)
        }
        guard let encodable = action as? any Encodable else {
            throw JournalError(
                .invalid, version: version,
                """
                \(type.actionName) cannot be written into a journal, as it is not Encodable. To fix \
                this, declare `extension \(type.actionName): Codable {}`, or keep such actions out of \
                the log with a middleware.
                """)
        }
        let value: DataValue
        do {
            value =
                revealsRedacted
                ? try DataValue(revealing: encodable) : try DataValue(encoding: encodable)
        } catch {
            throw JournalError(
                .invalid, version: version,
                "\(action.wireName) cannot be written into a journal: \(Self.reason(error)).")
        }
        let (caseName, payload) = split(value, of: action, type)
        return ActionRecord(
            type: known?.name ?? type.actionName, caseName: caseName,
            schema: known?.schema ?? schemaVersion(of: type), payload: payload)
    }

    /// The case of an enum apart from its payload.
    private func split(
        _ value: DataValue, of action: any Action, _ type: any Action.Type
    ) -> (caseName: String?, payload: DataValue) {
        switch value {
        case .object(let fields) where fields.count == 1:
            guard let (name, payload) = fields.first, case .object = payload, isEnum(action, type)
            else { break }
            return (name, payload)
        case .text(let name) where Self.isPlain(name) && isEnum(action, type):
            return (name, .null)
        default: break
        }
        return (nil, value)
    }

    /// Whether an action is an enum; reflection says so once for each type, as it is slow.
    private func isEnum(_ action: any Action, _ type: any Action.Type) -> Bool {
        let type = ObjectIdentifier(type)
        if let known = enums.withValue({ $0[type] }) { return known }
        let isEnum = Mirror(reflecting: action).displayStyle == .enum
        enums.withValue { $0[type] = isEnum }
        return isEnum
    }

    /// Whether a raw value can stand in a name.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 256 && !name.utf8.contains(UInt8(ascii: "/"))
    }

    // MARK: Selection

    /// The entries that an entry of a journal has become: one, or what migrations made from it; none where
    /// it holds no action.
    ///
    /// - Returns: Entries with the version and the circumstances of the journal's.
    /// - Throws: ``JournalError/Code/unreadable`` that names the entry, the reason and how to fix it.
    /// - Complexity: O(size of the payload + migrations).
    public func decode(_ entry: JournalEntry) throws(JournalError) -> [Entry] {
        guard entry.hasAction else { return [] }
        let records = try migrated(entry)
        var entries: [Entry] = []
        for record in records {
            entries.append(
                Entry(
                    version: entry.version, action: try action(of: record, in: entry),
                    address: entry.address, parent: entry.parent, origin: entry.origin,
                    time: entry.time))
        }
        return entries
    }

    /// The entries of a journal, in order; what cannot be decoded is treated according to the policy.
    ///
    /// - Throws: ``JournalError/Code/unreadable`` with the policy ``UnreadableEntryPolicy/fail``.
    public func decode(
        _ entries: some Sequence<JournalEntry>, whenUnreadable policy: UnreadableEntryPolicy = .fail
    ) throws(JournalError) -> [Entry] {
        var decoded: [Entry] = []
        for entry in entries {
            do {
                decoded += try decode(entry)
            } catch {
                guard case .quarantine(let report) = policy else { throw error }
                report(QuarantinedEntry(entry, because: error, format))
            }
        }
        return decoded
    }

    /// The action of a record that is at the present schema version.
    ///
    /// - Throws: ``JournalError/Code/unreadable``.
    public func action(of record: ActionRecord) throws(JournalError) -> any Action {
        try action(of: record, in: nil)
    }

    /// A name apart: the type, and the case of an enum.
    static func parts(of name: String) -> (type: String, caseName: String?) {
        guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (name, nil) }
        return (String(name[..<slash]), String(name[name.utf8.index(after: slash)...]))
    }

    private func migrated(_ entry: JournalEntry) throws(JournalError) -> [ActionRecord] {
        let (type, caseName) = Self.parts(of: entry.name)
        let payload: DataValue
        do {
            payload = try format.value(of: entry.payload, limits: limits)
        } catch {
            throw unreadable(
                entry.name, entry, "its payload is no \(format.rawValue.uppercased()): \(error)",
                "Was the journal written with another format?")
        }
        let record = ActionRecord(
            type: type, caseName: caseName, schema: entry.schema, payload: payload)
        do {
            return try migrations.apply(to: record)
        } catch {
            throw unreadable(
                entry.name, entry, "a migration failed: \(Self.reason(error))",
                "Mend the migration of \"\(record.type)\".")
        }
    }

    private func action(
        of record: ActionRecord, in entry: JournalEntry?
    ) throws(JournalError) -> any Action {
        guard let kind = kinds[record.type] else {
            throw unreadable(
                record.name, entry, "no feature handles actions of that name",
                "Add the feature, or a migration that renames or drops \"\(record.type)\".")
        }
        let schema = kind.schema
        guard record.schema == schema else {
            if let entry, entry.schema <= schema, record.schema > schema {
                throw unreadable(
                    record.name, entry,
                    "a migration leads to schema version \(record.schema), the type has \(schema)",
                    "Raise its schemaVersion, or take the step out.")
            }
            throw unreadable(
                record.name, entry,
                "it was written with schema version \(record.schema), the type has \(schema)",
                record.schema < schema
                    ? "Add a migration of \"\(record.type)\" from version \(record.schema)."
                    : "Read it with the newer program that wrote it.")
        }
        guard let decodable = kind.decodable else {
            throw unreadable(
                record.name, entry, "its type is not Decodable",
                "Declare `extension \(record.type): Codable {}`.")
        }
        do {
            return try Self.decode(decodable, record)
        } catch DecodingError.typeMismatch(_, let context)
            where context.codingPath.isEmpty && record.caseName != nil
        {
            throw unreadable(
                record.name, entry, "the type has no such case",
                "If a case has got another name, raise schemaVersion and add a migration.")
        } catch {
            throw unreadable(
                record.name, entry, Self.reason(error),
                "If its fields have changed, raise schemaVersion and add a migration.")
        }
    }

    private static func decode<A: Action & Decodable>(
        _ type: A.Type, _ record: ActionRecord
    ) throws -> A {
        let value: DataValue =
            switch (record.caseName, record.payload) {
            case (nil, let payload): payload
            case (let name?, .null): .text(name)
            case (let name?, let payload): .object([name: payload])
            }
        return try value.decoded(as: type)
    }

    // MARK: Reasons

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
            switch error as? DecodingError {
            case .typeMismatch(_, let context)?: (context.codingPath, context.debugDescription)
            case .valueNotFound(_, let context)?: (context.codingPath, context.debugDescription)
            case .keyNotFound(_, let context)?: (context.codingPath, context.debugDescription)
            case .dataCorrupted(let context)?: (context.codingPath, context.debugDescription)
            default: nil
            }
        guard let context else { return "\(error)" }
        let path = context.path.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.text : "\(path): \(context.text)"
    }
}
