// SPDX-License-Identifier: MIT

internal import Onward

/// What an erasure would put in place: the entries that lose something, and the snapshots that stay.
struct ErasurePlan: Sendable {
    /// The entries that change, in order.
    private(set) var entries: [JournalEntry] = []
    /// The snapshots that change and stay, which replace those of their versions.
    private(set) var snapshots: [JournalSnapshot] = []
    /// Which entries and snapshots still have the text as a part of another one.
    private(set) var partial: [CommitVersion] = []
    /// Where the journal ended when it was read.
    let end: JournalPosition
    /// The first version that is kept.
    private let first: CommitVersion

    var isEmpty: Bool { entries.isEmpty && snapshots.isEmpty }

    /// Whether a snapshot includes an entry that loses something, and so is dropped.
    func drops(_ version: CommitVersion) -> Bool {
        guard let start = entries.first?.version else { return false }
        return version >= start && !snapshots.contains { $0.version == version }
    }

    // MARK: Making

    /// Reads a journal.
    ///
    /// - Parameters:
    ///   - journal: The journal, of which nothing changes.
    ///   - erasure: What is erased.
    ///   - format: How payloads are written.
    ///   - progress: Called with the version of the last entry that was read, and of the last one.
    /// - Throws: ``ErasureError/Code/collision``, or what the journal throws.
    init(
        of journal: some ReadableJournal, _ erasure: Erasure, _ format: DataFormat,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void
    ) async throws(ErasureError) {
        (end, first) = try await ErasureError.calling { () throws(JournalError) in
            (try await journal.lastPosition(), try await journal.firstVersion())
        }
        try await planEntries(of: journal, erasure, format, progress)
        try await planSnapshots(of: journal, erasure, format)
    }

    private mutating func planEntries(
        of journal: some ReadableJournal, _ erasure: Erasure, _ format: DataFormat,
        _ progress: @Sendable (CommitVersion, CommitVersion) -> Void
    ) async throws(ErasureError) {
        var bases = ErasedBase()
        var rows = ErasedRows(erasure.replacement)
        var next = first
        while next <= end.version {
            let from = next
            let page = try await ErasureError.calling { () throws(JournalError) in
                try await journal.entries(from: from, limit: 256)
            }
            guard let last = page.last else { break }
            for entry in page where entry.version <= end.version {
                do {
                    let rest = try erasure.rest(of: entry, format, &bases)
                    let after = rest ?? entry
                    if after.hasAction { try rows.note(entry.address, after.address) }
                    if let rest { entries.append(rest) }
                    if erasure.replacement?.occurs(in: after) == true {
                        partial.append(after.version)
                    }
                } catch {
                    throw error.at(entry.version)
                }
            }
            next = last.version + 1
            progress(min(last.version, end.version), end.version)
        }
    }

    private mutating func planSnapshots(
        of journal: some ReadableJournal, _ erasure: Erasure, _ format: DataFormat
    ) async throws(ErasureError) {
        let start = entries.first?.version ?? .max
        var found: [JournalSnapshot] = []
        var version = CommitVersion.max
        while true {
            let newest = version
            let snapshot = try await ErasureError.calling { () throws(JournalError) in
                try await journal.snapshot(at: newest)
            }
            guard let snapshot, snapshot.version <= version else { break }
            // One that stands for truncated entries stays, and the oldest is enough: later ones may
            // include what is erased.
            if snapshot.version < start {
                found.append(snapshot)
            } else if first > 1, snapshot.version + 1 >= first {
                found.removeAll { $0.version >= start }
                found.append(snapshot)
            }
            guard snapshot.version > 0 else { break }
            version = snapshot.version - 1
        }
        if first > 1, found.contains(where: { $0.version < start && $0.version + 1 >= first }) {
            found.removeAll { $0.version >= start }
        }
        for snapshot in found {
            let rest = try erasure.rest(of: snapshot, format)
            // Named even where nothing in it changes, or it would be dropped.
            if rest != snapshot || rest.version >= start { snapshots.append(rest) }
            if erasure.replacement?.occurs(in: rest.payload) == true {
                partial.append(rest.version)
            }
        }
        partial = Set(partial).sorted()
    }
}

/// The last state that was written in full, before and after an erasure.
struct ErasedBase {
    var version: CommitVersion = 0
    var before = DataValue.null
    var after = DataValue.null
    /// Whether the differences from it have to be written again.
    var isChanged: Bool { before != after }
}

/// The rows that addresses name, before and after an erasure: two of them must not become one.
private struct ErasedRows {
    private let replacement: TextReplacement?
    /// What was the address of a row, by what it is.
    private var before: [String: String] = [:]

    init(_ replacement: TextReplacement?) { self.replacement = replacement }

    mutating func note(_ old: Address, _ new: Address) throws(ErasureError) {
        guard old != new || new.rows.contains(where: mayBeReplacement) else { return }
        for (depth, component) in new.components.enumerated() {
            guard case .row(let row) = component else { continue }
            let (old, new) = (
                Address(Array(old.components[...depth])).description,
                Address(Array(new.components[...depth])).description
            )
            guard old != new || mayBeReplacement(row) else { continue }
            guard let known = before.updateValue(old, forKey: new), known != old else { continue }
            throw ErasureError(
                .collision,
                """
                Two different rows would both have the address "\(new)" after the erasure, so entries for one would \
                change the other. Choose another replacement, one for each person.
                """)
        }
    }

    private func mayBeReplacement(_ row: RowKey) -> Bool {
        guard let replacement = replacement?.replacement else { return false }
        return row.text == replacement || !replacement.isEmpty && row.text.contains(replacement)
    }
}

extension TextReplacement {
    /// Whether any part of an entry that is stored as it is has the text.
    fileprivate func occurs(in entry: JournalEntry) -> Bool {
        occurs(in: entry.payload) || occurs(in: entry.name.utf8)
            || occurs(in: entry.origin.file.utf8)
            || entry.address != .root && occurs(in: entry.address.description.utf8)
    }
}

// MARK: - What remains of an entry

extension Erasure {
    /// What replaces an entry; nil if nothing has to be removed from it.
    fileprivate func rest(
        of entry: JournalEntry, _ format: DataFormat, _ bases: inout ErasedBase
    ) throws(ErasureError) -> JournalEntry? {
        switch entry.kind {
        case .action, .erased: return try rest(ofAction: entry, format)
        case .install: return try rest(ofInstall: entry, format, &bases)
        case .ownership: return nil
        }
    }

    private func rest(
        ofAction entry: JournalEntry, _ format: DataFormat
    ) throws(ErasureError) -> JournalEntry? {
        guard entry.hasAction else { return nil }
        let (type, caseName) = ActionCodec.parts(of: entry.name)
        let record = ActionRecord(
            type: type, caseName: caseName, schema: entry.schema,
            payload: try value(of: entry.payload, format, at: entry.version))
        guard let rest = try action(record) else { return entry.replaced(.erased, "", []) }
        let address = try address(entry.address)
        if rest == record, address == entry.address { return nil }
        return entry.replaced(
            .erased, rest.name,
            rest == record ? entry.payload : format.bytes(of: rest.payload), at: address)
    }

    private func address(_ address: Address) throws(ErasureError) -> Address {
        try address.mapRows { (key) throws(ErasureError) in
            let rest = try row(key.text)
            return rest == key.text ? key : RowKey(text: rest)
        }
    }

    private func rest(
        ofInstall install: JournalEntry, _ format: DataFormat, _ bases: inout ErasedBase
    ) throws(ErasureError) -> JournalEntry? {
        let value = try value(of: install.payload, format, at: install.version)
        let rest: InstalledState
        switch InstalledState(value) {
        case .state(let before, let missing):
            let after = try state(before)
            bases = ErasedBase(version: install.version, before: before, after: after)
            rest = .state(after, missing: missing)
        case .difference(let difference, let base):
            guard base == bases.version, let before = difference.applied(to: bases.before) else {
                throw unsearchable(
                    install.version, "it differs from a state that entry \(base) should have")
            }
            let after = try state(before)
            if after == before, !bases.isChanged { return nil }
            rest =
                DataDifference(from: bases.after, to: after).map { .difference($0, base: base) }
                ?? .shown(base)
        case .shown: return nil
        case nil:
            throw unsearchable(install.version, "its payload is none that a recorder writes")
        }
        let payload = format.bytes(of: rest.value)
        return payload == install.payload
            ? nil : install.replaced(.install, install.name, payload)
    }

    fileprivate func rest(
        of snapshot: JournalSnapshot, _ format: DataFormat
    ) throws(ErasureError) -> JournalSnapshot {
        let before = try value(of: snapshot.payload, format, at: snapshot.version)
        let after: DataValue
        do {
            after = try state(before)
        } catch {
            throw error.at(snapshot.version)
        }
        if before == after { return snapshot }
        return JournalSnapshot(
            version: snapshot.version, schema: snapshot.schema, fingerprint: snapshot.fingerprint,
            payload: format.bytes(of: after))
    }

    private func value(
        of payload: [UInt8], _ format: DataFormat, at version: CommitVersion
    ) throws(ErasureError) -> DataValue {
        do {
            return try format.value(
                of: payload, limits: DataLimits(bytes: 256 << 20, elements: 50_000_000))
        } catch {
            throw unsearchable(
                version, "its payload is no \(format.rawValue.uppercased()): \(error)")
        }
    }

    private func unsearchable(_ version: CommitVersion, _ reason: String) -> ErasureError {
        ErasureError(
            JournalError(
                .unreadable, version: version,
                "Version \(version) can't be searched for what is to be erased: \(reason)."))
    }
}

extension JournalEntry {
    fileprivate func replaced(
        _ kind: Kind, _ name: String, _ payload: [UInt8], at address: Address? = nil
    ) -> JournalEntry {
        JournalEntry(
            version: version, id: id, kind: kind, epoch: epoch, name: name, schema: schema,
            payload: payload,
            address: kind == .erased && name.isEmpty ? .root : address ?? self.address,
            parent: parent, origin: origin, time: time)
    }
}
