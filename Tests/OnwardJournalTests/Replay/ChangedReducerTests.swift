// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import TestSupport

/// What old reducers made is not mixed with what new ones make, unless that is said.
struct ChangedReducerTests {
    private struct Count: Codable, Sendable {
        var number = 0
        var seen: Set<Int> = []
    }

    private enum Step: Action, Codable {
        case add
        case note(Int)
    }

    private let journal = MemoryJournal()
    private let runs = Counter()

    /// Runs an app of one version of the program.
    private func run(
        adding number: Int, revision: String = "", steps: Int = 0,
        keeping retention: Retention = .all
    ) async throws -> (number: Int, change: FeatureChange?) {
        var options = PersistenceOptions<Count>()
        options.recording.snapshotSpacing = 2
        options.revision = revision
        options.retention = retention
        let app = try await Persistence(
            of: Count(), in: Unclosed(base: journal), options: options
        ) {
            Reduce { [runs] (count: inout Count, step: Step) in
                runs.add(1)
                switch step {
                case .add: count.number += number
                case .note(let number): count.seen.insert(number)
                }
            }
        }
        let found = (app.store.state.number, app.restored.featureChange)
        for _ in 0..<steps {
            try await app.dispatch(Step.add)
            try await app.flush()
        }
        try await app.shutdown()
        return found
    }

    @Test(arguments: ["", "2"])
    func `the entries before a snapshot of other reducers are run again`(revision: String)
        async throws
    {
        _ = try await run(adding: 1, steps: 5)
        let (number, change) = try await run(adding: 2, revision: revision)
        #expect(number == 10)
        #expect(change?.outcome == .replayed && change?.snapshot == 4)
        #expect(change?.first == 1 && change?.last == 5)
        #expect(change?.description.contains("The entries 1 to 5 were replayed by the new") == true)
        // From then on the journal leads there, whichever snapshot a reader begins with.
        let last = try await journal.lastVersion()
        #expect(try journal.entries(from: last, limit: 1).map(\.name) == ["Recording/replay"])
        for _ in 0..<3 {
            let (number, change) = try await run(adding: 2, revision: revision)
            #expect(number == 10 && change == nil)
        }
        #expect(try await journal.lastVersion() == last)
        _ = try await run(adding: 2, revision: revision, steps: 5)
        let (later, none) = try await run(adding: 2, revision: revision)
        #expect(later == 20 && none == nil)
    }

    @Test func `where the entries are gone the mixture is reported`() async throws {
        _ = try await run(adding: 1, steps: 5, keeping: .compacted)
        #expect(try await journal.firstVersion() == 5)
        let (number, change) = try await run(adding: 2, revision: "2", keeping: .compacted)
        #expect(number == 6)
        #expect(change?.outcome == .mixed && change?.snapshot == 4)
        #expect(change?.description.contains("at version 4 was made by the old ones") == true)
        let (next, none) = try await run(adding: 2, revision: "2", keeping: .compacted)
        #expect(next == 6 && none == nil)
    }

    @Test func `another revision of reducers that do the same is said, and changes nothing`()
        async throws
    {
        _ = try await run(adding: 1, steps: 5)
        let (number, change) = try await run(adding: 1, revision: "2")
        #expect(number == 5)
        #expect(change?.outcome == .same)
        #expect(try await journal.lastVersion() == 5)
        let (again, none) = try await run(adding: 1, revision: "2")
        #expect(again == 5 && none == nil)
    }

    @Test func `reducers that haven't changed are trusted, and only the last stretch is run`()
        async throws
    {
        _ = try await run(adding: 1, steps: 101)
        _ = runs.take()
        let (number, change) = try await run(adding: 1)
        #expect(number == 101 && change == nil)
        // Two entries before the snapshot, one after it.
        #expect(runs.take() == 3)
    }

    @Test func `a set in another order is no other state`() async throws {
        for number in 0..<20 {
            _ = try await run(adding: 1, steps: 1)
            let app = try await Persistence(of: Count(), in: Unclosed(base: journal)) {
                Reduce { (count: inout Count, step: Step) in
                    switch step {
                    case .add: count.number += 1
                    case .note(let number): count.seen.insert(number)
                    }
                }
            }
            #expect(app.restored.featureChange == nil)
            try await app.dispatch(Step.note(number))
            try await app.shutdown()
        }
    }

    @Test func `entries that can't be read any more leave the snapshot, and that is said`()
        async throws
    {
        struct Gone: Action, Codable {}
        do {
            var options = PersistenceOptions<Count>()
            options.recording.snapshotSpacing = 2
            let app = try await Persistence(
                of: Count(), in: Unclosed(base: journal), options: options
            ) {
                Reduce { (count: inout Count, _: Step) in count.number += 1 }
                Reduce { (count: inout Count, _: Gone) in count.number += 100 }
            }
            for action in [Gone(), Step.add, Step.add, Step.add] as [any Action] {
                app.store.dispatch(action)
                try await app.flush()
            }
            try await app.shutdown()
        }
        let (number, change) = try await run(adding: 2)
        #expect(number == 103 || number == 105)
        #expect(change?.outcome == .mixed)
    }

    @Test func `a reader beside a writer that compacts begins again`() async throws {
        let store = Store(Count()) { Reduce { (count: inout Count, _: Step) in count.number += 1 } }
        let codec = JournalCodec(for: store)
        let entries = try (1...20).map { version in
            try codec.actions.encode(LogEntry(version: version, action: Step.add))
        }
        try journal.append(entries, after: .start)
        let compacting = CompactingJournal(base: journal) { journal, version in
            let state = Count(number: Int(version))
            try journal.store(codec.states.encode(state, at: version, by: codec.fingerprint))
            try journal.truncate(before: version + 1)
        }
        let found = try await Replay.state(
            of: compacting, startingWith: Count(), by: store, codec)
        #expect(found.state.number == 20 && found.version == 20)
        // A version that is gone is not there however often one looks.
        await #expect {
            _ = try await Replay.state(
                of: compacting, startingWith: Count(), by: store, codec, at: 3)
        } throws: { ($0 as? JournalError)?.code == .truncated }
    }
}

/// A journal that is compacted between a reader's look for a snapshot and its first entry.
private struct CompactingJournal: ForwardingJournal {
    let base: MemoryJournal
    let compact: @Sendable (MemoryJournal, CommitVersion) throws -> Void
    private let versions = Guarded<[CommitVersion]>([5, 10, 15])

    init(
        base: MemoryJournal,
        compact: @escaping @Sendable (MemoryJournal, CommitVersion) throws -> Void
    ) {
        (self.base, self.compact) = (base, compact)
    }

    func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? {
        let found = try base.snapshot(at: version)
        let next = versions.withValue { $0.isEmpty ? nil : $0.removeFirst() }
        if let next { try? compact(base, next) }
        return found
    }
}
