// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// What a client keeps in its journal: records, and a state before them.
struct ClientJournal: Sendable {
    /// Everything at a moment.
    struct Whole: Codable, Sendable {
        var fingerprint: FeatureFingerprint
        var log: UInt64?
        var version: CommitVersion
        var schema: Int
        var state: [UInt8]
        var pending: [Proposal]
    }

    private static let name = "sync/record"

    private let journal: any Journal
    /// Where it ends, as far as this client knows.
    private(set) var end = JournalPosition.start
    /// How many records there are behind the last whole.
    private(set) var count = 0

    init(_ journal: any Journal) {
        self.journal = journal
    }

    var durability: Durability { journal.durability }

    /// Reads what an earlier run has kept.
    ///
    /// - Throws: ``JournalError/Code/foreign`` for a journal of something else.
    mutating func read() async throws(JournalError) -> (whole: Whole?, records: [KeptRecord]) {
        end = try await journal.lastPosition()
        let snapshot = try await journal.snapshot(at: .max)
        let whole = try snapshot.map { snapshot throws(JournalError) -> Whole in
            try decode(snapshot.payload, at: snapshot.version)
        }
        var records: [KeptRecord] = []
        var next = (snapshot?.version ?? 0) + 1
        while next <= end.version {
            let entries = try await journal.entries(from: next, limit: 1_000)
            guard let last = entries.last else { break }
            for entry in entries {
                guard entry.name == Self.name else { throw Self.foreign(entry.version) }
                records.append(try decode(entry.payload, at: entry.version))
            }
            next = last.version + 1
        }
        count = records.count
        return (whole, records)
    }

    private func decode<Value: Decodable>(
        _ bytes: [UInt8], at version: CommitVersion
    ) throws(JournalError) -> Value {
        do {
            let limits = DataLimits(bytes: 256 << 20, depth: 64, elements: 10_000_000)
            return try DataFormat.cbor.value(of: bytes, limits: limits).decoded()
        } catch {
            throw Self.foreign(version)
        }
    }

    private static func foreign(_ version: CommitVersion) -> JournalError {
        JournalError(
            .foreign, version: version,
            """
            The journal of a synced store has something else at version \(version). Nothing was changed. Give the \
            SyncedStore a journal of its own: what it keeps there is no log of a store.
            """)
    }

    /// Appends records.
    mutating func append(_ records: [KeptRecord]) async throws(JournalError) {
        var entries: [JournalEntry] = []
        for record in records {
            guard let value = try? DataValue(encoding: record) else {
                throw JournalError(.invalid, "A record of a synced store can't be encoded.")
            }
            entries.append(
                JournalEntry(
                    version: end.version + CommitVersion(entries.count) + 1, name: Self.name,
                    payload: DataFormat.cbor.bytes(of: value)))
        }
        guard let last = entries.last else { return }
        try await journal.append(entries, after: end)
        end = last.position
        count += records.count
    }

    /// Keeps everything anew, and forgets the records.
    mutating func store(_ whole: Whole) async throws(JournalError) {
        guard let value = try? DataValue(encoding: whole) else {
            throw JournalError(.invalid, "The state of a synced store can't be encoded.")
        }
        // A snapshot is of an entry: without one, another state at the same place could be an older one.
        try await append([.dropped([])])
        try await journal.store(
            JournalSnapshot(
                version: end.version, fingerprint: whole.fingerprint,
                payload: DataFormat.cbor.bytes(of: value)), at: end)
        try await journal.truncate(before: end.version + 1, at: end)
        count = 0
    }
}
