// SPDX-License-Identifier: MIT

public import Onward

/// What is to be taken out of a log, such as all that concerns one person.
public struct Erasure: Sendable {
    let action: @Sendable (ActionRecord) -> ActionRecord?
    let state: @Sendable (DataValue) -> DataValue

    /// A rule of your own.
    ///
    /// Both functions are called again for what they have returned when an erasure is repeated, and have to
    /// leave that as it is.
    ///
    /// - Parameters:
    ///   - action: What stays of an action; nil takes it out of the log, and reducers no longer see it.
    ///   - state: What stays of a state: of those that were installed, and of the snapshot that stands for
    ///     truncated entries.
    public init(
        action: @escaping @Sendable (ActionRecord) -> ActionRecord?,
        state: @escaping @Sendable (DataValue) -> DataValue
    ) {
        self.action = action
        self.state = state
    }

    /// Replaces a text wherever a text has it, names of fields included.
    public static func replacing(_ text: String, with replacement: String = "") -> Erasure {
        Erasure(
            action: { record in
                var record = record
                record.payload = record.payload.replacing(text, with: replacement)
                return record
            }, state: { $0.replacing(text, with: replacement) })
    }
}

extension DataValue {
    func replacing(_ text: String, with replacement: String) -> DataValue {
        switch self {
        case .text(let value): .text(value.replacing(text, with: replacement))
        case .list(let values): .list(values.map { $0.replacing(text, with: replacement) })
        case .object(let fields):
            .object(
                Dictionary(
                    fields.map {
                        (
                            $0.replacing(text, with: replacement),
                            $1.replacing(text, with: replacement)
                        )
                    }, uniquingKeysWith: { first, _ in first }))
        default: self
        }
    }
}

extension Journal {
    /// Takes something out of the log.
    ///
    /// Entries of which something is taken get the kind ``JournalEntry/Kind/erased`` and keep their version.
    /// Snapshots that include one of them are dropped; the one that stands for truncated entries goes through
    /// the erasure instead. An erasure that was interrupted is finished by calling it again.
    ///
    /// It can't reach what isn't in this journal: backups, exports, other replicas, and a store that has it in
    /// memory.
    ///
    /// - Parameters:
    ///   - erasure: What is to be taken.
    ///   - format: How payloads are written.
    ///   - progress: Called with the last entry that was looked at, and the last of the journal.
    /// - Returns: The versions of the entries of which something was taken.
    /// - Throws: ``JournalError/Code/unreadable`` for a payload that can't be read: whether it has something to
    ///   be erased is not known, and what comes before it was erased; what the journal throws.
    /// - Complexity: O(entries).
    public func erase(
        _ erasure: Erasure, format: DataFormat = .cbor,
        progress: @Sendable (Version, Version) -> Void = { _, _ in }
    ) async throws(JournalError) -> [Version] {
        let last = try await lastVersion()
        let first = try await firstVersion()
        var erased: [Version] = []
        try await eraseBase(erasure, format, before: first)
        var next = first
        var changed: [JournalEntry] = []
        while next <= last {
            let page = try await entries(from: next, limit: 256)
            guard let end = page.last else { break }
            for entry in page {
                if let rest = try erasure.rest(of: entry, format) { changed.append(rest) }
            }
            next = end.version + 1
            // A journal may rewrite its file for each call, so there are few.
            if !changed.isEmpty, changed.count >= 4_096 || next > last {
                try await erase(changed, try await base(erasure, format, before: first))
                erased += changed.map(\.version)
                changed = []
            }
            progress(end.version, last)
        }
        return erased
    }

    /// The first version that is kept.
    ///
    /// - Throws: ``JournalError``.
    public func firstVersion() async throws(JournalError) -> Version {
        do {
            _ = try await entries(from: 1, limit: 1)
            return 1
        } catch  where error.code == .truncated {
            return error.version ?? 1
        }
    }

    private func eraseBase(
        _ erasure: Erasure, _ format: DataFormat, before first: Version
    ) async throws(JournalError) {
        let anew = try await base(erasure, format, before: first)
        guard !anew.isEmpty else { return }
        try await erase([], anew)
    }

    /// The snapshots that stand for truncated entries, without what is to be erased.
    private func base(
        _ erasure: Erasure, _ format: DataFormat, before first: Version
    ) async throws(JournalError) -> [JournalSnapshot] {
        guard first > 1 else { return [] }
        var found: [JournalSnapshot] = []
        var version = Version.max
        while let snapshot = try await snapshot(at: version), snapshot.version + 1 >= first {
            found.append(snapshot)
            guard snapshot.version > 0 else { break }
            version = snapshot.version - 1
        }
        // The oldest of them is enough: those behind it may include what is erased.
        guard let base = found.last else { return [] }
        let payload = try erasure.rest(of: base.payload, format, at: base.version)
        return [
            JournalSnapshot(
                version: base.version, schema: base.schema, fingerprint: base.fingerprint,
                payload: payload)
        ]
    }
}

extension Erasure {
    /// What takes an entry's place; nil where nothing is to be taken from it.
    fileprivate func rest(
        of entry: JournalEntry, _ format: DataFormat
    ) throws(JournalError) -> JournalEntry? {
        switch entry.kind {
        case .install:
            let payload = try rest(of: entry.payload, format, at: entry.version)
            return payload == entry.payload ? nil : entry.replaced(.install, entry.name, payload)
        case .action, .erased:
            guard entry.hasAction else { return nil }
            let (type, caseName) = ActionCodec.parts(of: entry.name)
            let record = ActionRecord(
                type: type, caseName: caseName, schema: entry.schema,
                payload: try value(of: entry.payload, format, at: entry.version))
            guard let rest = action(record) else { return entry.replaced(.erased, "", []) }
            if rest == record { return nil }
            return entry.replaced(.erased, rest.name, format.bytes(of: rest.payload))
        case .ownership: return nil
        }
    }

    fileprivate func rest(
        of payload: [UInt8], _ format: DataFormat, at version: Version
    ) throws(JournalError) -> [UInt8] {
        let before = try value(of: payload, format, at: version)
        let after = state(before)
        return before == after ? payload : format.bytes(of: after)
    }

    private func value(
        of payload: [UInt8], _ format: DataFormat, at version: Version
    ) throws(JournalError) -> DataValue {
        do {
            return try format.value(
                of: payload, limits: DataLimits(bytes: 256 << 20, elements: 50_000_000))
        } catch {
            throw JournalError(
                .unreadable, version: version,
                """
                Version \(version) can't be searched for what is to be erased: its payload is no \
                \(format.rawValue.uppercased()): \(error)
                """)
        }
    }
}

extension JournalEntry {
    fileprivate func replaced(_ kind: Kind, _ name: String, _ payload: [UInt8]) -> JournalEntry {
        JournalEntry(
            version: version, id: id, kind: kind, epoch: epoch, name: name, schema: schema,
            payload: payload, address: kind == .erased && name.isEmpty ? .root : address,
            parent: parent, origin: origin, time: time)
    }
}
