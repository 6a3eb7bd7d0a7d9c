// SPDX-License-Identifier: MIT

public import Onward

/// What to remove from a log, such as everything that concerns one person.
public struct Erasure: Sendable {
    let action: @Sendable (ActionRecord) -> ActionRecord?
    let state: @Sendable (DataValue) -> DataValue

    /// A rule of your own.
    ///
    /// When an erasure is repeated, both functions are called again with what they have already
    /// returned, and must leave it unchanged.
    ///
    /// - Parameters:
    ///   - action: Returns what remains of an action, or nil to take it out of the log, so that
    ///     reducers no longer see it.
    ///   - state: Returns what remains of a state: of each installed one, and of the snapshot that
    ///     stands for truncated entries.
    public init(
        action: @escaping @Sendable (ActionRecord) -> ActionRecord?,
        state: @escaping @Sendable (DataValue) -> DataValue
    ) {
        self.action = action
        self.state = state
    }

    /// Replaces a string wherever it occurs in a text, including in the names of fields.
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
    /// Removes data from the log.
    ///
    /// Entries that lose something get the kind ``JournalEntry/Kind/erased`` and keep their
    /// version. Snapshots that include one of them are dropped; the snapshot that stands for
    /// truncated entries is erased in the same way instead. To finish an interrupted erasure, call
    /// this again.
    ///
    /// Erase only while no recorder writes to the journal: a recorder writes differences from
    /// states that it has in memory.
    ///
    /// An erasure can't reach anything outside this journal: backups, exports, other replicas, or a
    /// store with the data in memory.
    ///
    /// - Parameters:
    ///   - erasure: What to remove.
    ///   - format: How payloads are written.
    ///   - progress: Called with the version of the last entry that was examined, and of the last
    ///     one in the journal.
    /// - Returns: The versions of the entries that lost something.
    /// - Throws: ``JournalError/Code/unreadable`` for a payload that can't be read, since it may
    ///   hold something to erase; everything before it has been erased. Also what the journal
    ///   throws.
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
        var bases = ErasedBase()
        while next <= last {
            let page = try await entries(from: next, limit: 256)
            guard let end = page.last else { break }
            for entry in page {
                let rest =
                    entry.kind == .install
                    ? try erasure.rest(of: entry, format, &bases)
                    : try erasure.rest(of: entry, format)
                if let rest { changed.append(rest) }
            }
            next = end.version + 1
            // A journal may rewrite its file for each call, so there are few calls. Differences are
            // written together with the state that they start from.
            let isDue = changed.count >= 4_096 && !bases.isChanged
            if !changed.isEmpty, isDue || next > last {
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

    /// The snapshots that stand for truncated entries, after the erasure.
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
        // The oldest of them is enough: later ones may include what is erased.
        guard let base = found.last else { return [] }
        let payload = try erasure.rest(of: base.payload, format, at: base.version)
        return [
            JournalSnapshot(
                version: base.version, schema: base.schema, fingerprint: base.fingerprint,
                payload: payload)
        ]
    }
}

/// The last state that was written in full, before and after an erasure.
private struct ErasedBase {
    var version: Version = 0
    var before = DataValue.null
    var after = DataValue.null
    /// Whether the differences from it have to be written again.
    var isChanged: Bool { before != after }
}

extension Erasure {
    /// What replaces an entry; nil if nothing has to be removed from it.
    fileprivate func rest(
        of entry: JournalEntry, _ format: DataFormat
    ) throws(JournalError) -> JournalEntry? {
        switch entry.kind {
        case .action, .erased:
            guard entry.hasAction else { return nil }
            let (type, caseName) = ActionCodec.parts(of: entry.name)
            let record = ActionRecord(
                type: type, caseName: caseName, schema: entry.schema,
                payload: try value(of: entry.payload, format, at: entry.version))
            guard let rest = action(record) else { return entry.replaced(.erased, "", []) }
            if rest == record { return nil }
            return entry.replaced(.erased, rest.name, format.bytes(of: rest.payload))
        case .install, .ownership: return nil
        }
    }

    /// What replaces an install; nil if nothing has to be removed from it.
    fileprivate func rest(
        of install: JournalEntry, _ format: DataFormat, _ bases: inout ErasedBase
    ) throws(JournalError) -> JournalEntry? {
        let value = try value(of: install.payload, format, at: install.version)
        let rest: InstalledState
        switch InstalledState(value) {
        case .state(let before):
            let after = state(before)
            bases = ErasedBase(version: install.version, before: before, after: after)
            rest = .state(after)
        case .difference(let difference, let base):
            guard base == bases.version, let before = difference.applied(to: bases.before) else {
                throw JournalError(
                    .unreadable, version: install.version,
                    """
                    Version \(install.version) can't be searched for what is to be erased: it differs from a \
                    state that entry \(base) should have.
                    """)
            }
            let after = state(before)
            if after == before, !bases.isChanged { return nil }
            rest =
                DataDifference(from: bases.after, to: after).map { .difference($0, base: base) }
                ?? .shown(base)
        case .shown: return nil
        case nil:
            throw JournalError(
                .unreadable, version: install.version,
                """
                Version \(install.version) can't be searched for what is to be erased: its payload is none that \
                a recorder writes.
                """)
        }
        let payload = format.bytes(of: rest.value)
        return payload == install.payload
            ? nil : install.replaced(.install, install.name, payload)
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
