// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

/// What a store that is being restored shows, and what it refuses.
struct RestoringTests {
    private struct Tally: Codable, Equatable, Sendable, SchemaVersioned {
        static var schemaVersion: Int { 2 }
        var ticks = 0
    }
    private struct Tick: Action, Codable, SchemaVersioned {
        static var schemaVersion: Int { 2 }
    }

    private func open(
        _ journal: MemoryJournal, _ options: PersistenceOptions<Tally> = PersistenceOptions()
    ) async throws -> Persistence<Tally> {
        try await Persistence(of: Tally(), in: Unclosed(base: journal), options: options) {
            Reduce { (tally: inout Tally, _: Tick) in tally.ticks += 1 }
        }
    }

    @Test func `progress comes in steps, forwards, from the snapshot to the last entry`()
        async throws
    {
        let journal = MemoryJournal()
        var options = PersistenceOptions<Tally>()
        options.recording.snapshotSpacing = nil
        let first = try await open(journal, options)
        for _ in 0..<3_000 { first.store.dispatch(Tick()) }
        try await first.shutdown()
        let rows = Guarded<[PersistenceOptions<Tally>.Progress]>([])
        options.progress = { row in rows.withValue { $0.append(row) } }
        let second = try await open(journal, options)
        try await second.shutdown()
        let found = rows.withValue { $0 }
        #expect(found.count >= 20)
        #expect(found.map(\.version) == found.map(\.version).sorted())
        #expect(found.first?.description == "128 of 3000 entries")
        #expect(found.last?.fraction == 1 && found.last?.last == 3_000)
        #expect(found.allSatisfy { (0...1).contains($0.fraction) })
    }

    @Test(arguments: [false, true])
    func `entries of a newer program are refused, whatever the policy, and nothing is changed`(
        quarantines: Bool
    ) async throws {
        let journal = MemoryJournal()
        try await open(journal).shutdown()
        try journal.append(
            [
                JournalEntry(version: 1, name: Tick.actionName, schema: 2, payload: [0xA0]),
                JournalEntry(version: 2, name: Tick.actionName, schema: 3, payload: [0xA0]),
            ], after: .start)
        var options = PersistenceOptions<Tally>()
        if quarantines { options.whenUnreadable = .quarantine { _ in } }
        let error = await #expect(throws: JournalError.self) {
            _ = try await open(journal, options)
        }
        #expect(error?.code == .newer && error?.version == 2)
        #expect(try journal.lastPosition().version == 2)
    }

    @Test func `a snapshot of a newer program is refused, although the entries could be read`()
        async throws
    {
        let journal = MemoryJournal()
        let app = try await open(journal)
        try await app.dispatch(Tick())
        try await app.shutdown()
        try journal.store(
            JournalSnapshot(
                version: 1, schema: 3, fingerprint: FeatureFingerprint(rawValue: 1),
                payload: [0xA0]))
        let error = await #expect(throws: JournalError.self) { _ = try await open(journal) }
        #expect(error?.code == .newer)
        #expect(error?.description.contains("Open the journal with the newer program") == true)
    }
}
