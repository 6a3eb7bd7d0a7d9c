// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Reads what a server's log has decided, from its journal and from where it is kept beside it.
struct LedgerKeeping: Sendable {
    /// What is kept: everything up to a version of the journal, perhaps more.
    private struct Contents: Codable {
        let version: CommitVersion
        let runs: [DecidedRun]
    }

    let journal: (any Journal)?
    let storage: (any ValueStorage)?

    init(_ journal: (any Journal)?, _ storage: (any ValueStorage)?) {
        self.journal = journal
        self.storage = storage
    }

    func read() async throws(JournalError) -> Ledger {
        var ledger = Ledger()
        var next: CommitVersion = 1
        if let kept = try contents() {
            kept.runs.forEach { ledger.restore($0) }
            next = kept.version + 1
        }
        guard let journal else { return ledger }
        let last = try await journal.lastVersion()
        guard last > 0 else { return Ledger() }
        while next <= last {
            let entries: [JournalEntry]
            do {
                entries = try await journal.entries(from: next, limit: 1_000)
            } catch  where error.code == .truncated {
                throw JournalError(
                    .truncated, version: next,
                    """
                    The journal has forgotten entries from version \(next) on, and with them which proposals of \
                    clients were accepted: what a client sends once more would be done twice. Give the SyncServer \
                    a `ledger:` before the journal forgets anything, or have it keep its entries.
                    """)
            }
            guard let newest = entries.last else { break }
            for entry in entries { if let id = entry.origin.proposal { ledger.note(id) } }
            next = newest.version + 1
        }
        return ledger
    }

    private func contents() throws(JournalError) -> Contents? {
        guard let storage else { return nil }
        do {
            guard let bytes = try storage.read() else { return nil }
            let limits = DataLimits(bytes: 256 << 20, depth: 8, elements: 10_000_000)
            return try DataFormat.cbor.value(of: bytes, limits: limits).decoded()
        } catch {
            throw JournalError(
                .unreadable,
                "What clients have proposed can't be read from where it is kept: \(error)")
        }
    }

    /// The version up to which the journal has everything that was committed by now.
    func lastVersion() async throws(JournalError) -> CommitVersion {
        try await journal?.lastVersion() ?? 0
    }

    func write(_ ledger: Ledger, at version: CommitVersion) throws {
        guard let storage else { return }
        let value = try DataValue(encoding: Contents(version: version, runs: ledger.all))
        try storage.write(DataFormat.cbor.bytes(of: value))
    }
}

extension ActionOrigin {
    /// The file of what a client has proposed; the line is the number.
    static func file(ofClient client: ClientID) -> String { "sync \(client)" }

    /// The proposal that an entry was; nil for anything else.
    var proposal: ProposalID? {
        guard line > 0, file.hasPrefix("sync "), let client = ClientID(file.dropFirst(5)) else {
            return nil
        }
        return ProposalID(client: client, number: UInt64(line))
    }
}
