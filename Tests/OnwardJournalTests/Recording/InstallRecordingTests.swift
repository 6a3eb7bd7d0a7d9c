// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import struct TestSupport.SeededGenerator

/// What a history installs is in the journal: folding it gives what the store showed.
struct InstallRecordingTests {
    private let store = makeShop()
    private let journal = MemoryJournal()

    private func put(_ names: String, into store: Store<Shop>) {
        for name in names { store.scoped(to: \.left).dispatch(add(String(name))) }
    }

    /// The state that the journal leads to at a version.
    private func state(at version: CommitVersion = .max, _ initial: Shop = Shop()) async throws
        -> Shop
    {
        let fresh = makeShop()
        return try await Replay.state(
            of: journal, startingWith: initial, by: fresh, JournalCodec(for: fresh), at: version
        ).state
    }

    private func payload(_ version: CommitVersion) throws -> DataValue {
        let entry = try #require(try journal.entries(from: version, limit: 1).first)
        #expect(entry.kind == .install && entry.name == "Travel")
        return try DataFormat.cbor.value(of: entry.payload)
    }

    /// A table with much that stays as it is.
    private static let large = Shop(left: Basket(items: (0..<100).map { "row \($0)" }))

    @Test func `a jump is a reference to the version whose state is shown`() async throws {
        let shown = ShownStates<Shop>()
        let token = store.log.attach(shown)
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        let history = History(of: store)
        put("abcd", into: store)
        for index in [3, 2, 1, 0, 2, 4] { history.jump(to: index) }
        put("e", into: store)
        try await recorder.stop()
        let references = try (5...10).map { try payload($0) }
        #expect(
            references == [
                ["shown": 3], ["shown": 2], ["shown": 1], ["shown": 0], ["shown": 2], ["shown": 4],
            ])
        for (version, expected) in shown.states {
            #expect(try await state(at: version) == expected)
        }
        #expect(shown.states.count == 11)
        token.cancel()
    }

    @Test func `a state that was never shown is a difference from one that is written whole`()
        async throws
    {
        let store = makeShop(Self.large)
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        let history = History(of: store)
        put("abc", into: store)
        history.toggle(1)
        history.toggle(2)
        history.toggle(2)
        try await recorder.flush()
        let first = try payload(4)
        #expect(first["state"]?["left"]?["items"]?.list?.count == 102)
        #expect(try payload(5)["base"] == 4)
        #expect(try payload(6)["shown"] != nil)
        let sizes = try journal.entries(from: 4, limit: 3).map(\.payload.count)
        #expect(sizes[0] > 600)
        #expect(sizes[1] < 200)
        #expect(sizes[2] < 20)
        history.jumpToEnd()
        history.toggle(1)
        put("d", into: store)
        try await recorder.stop()
        #expect(try await state() == store.state)
        #expect(try await state().left.items.suffix(4) == ["a", "b", "c", "d"])
    }

    @Test func `a slider in a changed past refers to what it has shown before`() async throws {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        let history = History(of: store)
        put("abcd", into: store)
        history.toggle(1)
        for index in [3, 2, 3, 4, 2] { history.jump(to: index) }
        history.toggle(2)
        history.jump(to: 3)
        try await recorder.stop()
        let shown = try (5...12).map { try payload($0)["shown"]?.integer(as: Int.self) }
        #expect(shown == [nil, nil, nil, 6, 5, 7, nil, nil])
        #expect(try await state().left.items == ["c"])
        #expect(try await state(at: 9).left.items == ["b", "c", "d"])
    }

    @Test func `what a history withholds is no entry, and is there when it is shown`() async throws
    {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        let history = History(of: store)
        put("ab", into: store)
        history.jump(to: 1)
        put("cd", into: store)
        try await recorder.flush()
        #expect(try await journal.lastVersion() == 3)
        #expect(try await state().left.items == ["a"])
        history.jumpToEnd()
        try await recorder.stop()
        #expect(try await state().left.items == ["a", "b", "c", "d"])
    }

    @Test func `snapshots are stored while a history travels, and no reference goes behind them`()
        async throws
    {
        var options = PersistenceOptions<Shop>()
        options.recording.snapshotSpacing = 4
        options.retention = .compacted
        let app = try await Persistence(of: Shop(), in: Unclosed(base: journal), options: options) {
            Scope(\.left, basket)
        }
        let history = History(of: app.store)
        for number in 0..<60 {
            put("x", into: app.store)
            history.jump(to: number % 3)
            try await app.flush()
            history.jump(to: number % 5)
            history.jumpToEnd()
            if number % 7 == 0 { history.toggle(number) }
            try await app.flush()
            #expect(try await state() == app.store.state)
        }
        #expect(try await journal.firstVersion() > 200)
        try await app.shutdown()
        let next = try await Persistence(of: Shop(), in: Unclosed(base: journal)) {
            Scope(\.left, basket)
        }
        #expect(next.store.state == app.store.state)
        try await next.shutdown()
    }

    @Test func `a store may be restored in the middle of a travel`() async throws {
        let app = try await Persistence(of: Shop(), in: Unclosed(base: journal)) {
            Scope(\.left, basket)
        }
        let history = History(of: app.store)
        put("abc", into: app.store)
        history.jump(to: 1)
        try await app.shutdown()
        let next = try await Persistence(of: Shop(), in: journal) { Scope(\.left, basket) }
        #expect(next.store.state.left.items == ["a"])
        put("d", into: next.store)
        try await next.flush()
        #expect(next.store.state.left.items == ["a", "d"])
        try await next.shutdown()
    }

    @Test func `a slider over a long journal runs each entry once when it is read`() async throws {
        let runs = Counter()
        func counting() -> Store<Shop> {
            Store(Shop()) {
                Reduce { (shop: inout Shop, _: Note) in
                    shop.left.total += 1
                    runs.add(1)
                }
            }
        }
        let store = counting()
        var options = RecordingOptions()
        options.snapshotSpacing = nil
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        let history = History(of: store, spacing: 8)
        for _ in 0..<2_000 { store.dispatch(Note()) }
        for index in stride(from: 2_000, through: 0, by: -1) { history.jump(to: index) }
        history.jump(to: 1_000)
        try await recorder.stop()
        #expect(try await journal.lastVersion() == 4_002)
        let fresh = counting()
        _ = runs.take()
        let found = try await Replay.state(
            of: journal, startingWith: Shop(), by: fresh, JournalCodec(for: fresh))
        #expect(found.state.left.total == 1_000)
        // Those before the first install may have been run before it was met.
        #expect(runs.take() <= 3_000)
    }

    @Test func `states that are installed count with what they take`() async throws {
        let gate = Gate()
        let reports = Guarded(0)
        var options = RecordingOptions()
        options.waitingBytes = 5_500_000
        options.report = { _ in reports.withValue { $0 += 1 } }
        let recorder = try await JournalRecorder(
            of: store, into: GatedJournal(base: journal, gate: gate), JournalCodec(for: store),
            options: options)
        let history = History(of: store)
        put("ab", into: store)
        store.scoped(to: \.left).dispatch(add(String(repeating: "c", count: 1_000_000)))
        await gate.waitForCaller()
        for _ in 0..<4 { history.toggle(1) }
        #expect(reports.withValue { $0 } == 0)
        for _ in 0..<4 { history.toggle(1) }
        #expect(reports.withValue { $0 } == 1)
        gate.open()
        try await recorder.stop()
        let missing = try journal.entries(from: 1, limit: .max).compactMap(\.missing)
        #expect(missing.count == 1)
        #expect(try await state() == store.state)
    }

    @Test func `where others append, an installed state is written whole`() async throws {
        var options = RecordingOptions()
        options.others = .appendBehindThem
        options.report = { _ in }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        let history = History(of: store)
        put("ab", into: store)
        try await recorder.flush()
        let note = try ActionCodec(for: store.log.actions).encode(
            LogEntry(version: 3, action: Note(text: "theirs")))
        try journal.append([note], after: journal.lastPosition())
        history.jump(to: 1)
        history.jumpToEnd()
        try await recorder.stop()
        #expect(try payload(4)["state"] != nil && payload(5)["state"] != nil)
        #expect(try await state().left.items == ["a", "b"])
    }

    @Test func `an install that can't be read says which, and why`() async throws {
        func read(_ payload: DataValue) async throws {
            let journal = MemoryJournal()
            try journal.append(
                [
                    JournalEntry(
                        version: 1, kind: .install, name: "Travel",
                        payload: DataFormat.cbor.bytes(of: payload))
                ], after: .start)
            _ = try await Replay.state(
                of: journal, startingWith: Shop(), by: store, JournalCodec(for: store))
        }
        let wrong: [(DataValue, String)] = [
            (["shown": 1], "it is to be that of version 1, which is not an earlier one"),
            (["shown": 77], "it is to be that of version 77, which is not an earlier one"),
            (["what": 1], "its payload is none that a recorder writes"),
            (["state": 7], "entry 1 installed cannot be decoded"),
            (
                ["base": 0, "difference": ["value": 1]],
                "it differs from one that entry 0 should have"
            ),
            (["base": 1, "difference": ["value": 1]], "entry 1 should have"),
        ]
        for (payload, reason) in wrong {
            await #expect {
                try await read(payload)
            } throws: { error in
                (error as? JournalError)?.code == .unreadable && "\(error)".contains(reason)
            }
        }
    }

    @Test func `a difference is read with the migrations of the state`() async throws {
        struct Old: Codable, Sendable {
            var rows: [Int] = Array(0..<50)
            var name = "old"
        }
        struct New: Codable, Sendable, SchemaVersioned {
            static var schemaVersion: Int { 2 }
            var rows: [Int] = []
            var title = ""
        }
        struct Tick: Action, Codable {}
        let store = Store(Old()) { Reduce { (old: inout Old, _: Tick) in old.rows[3] += 1 } }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        let history = History(of: store)
        for _ in 0..<3 { store.dispatch(Tick()) }
        history.toggle(1)
        history.toggle(2)
        try await recorder.stop()
        #expect(try payload(5)["base"] == 4)
        let next = Store(New()) { Reduce { (new: inout New, _: Tick) in new.rows[3] += 1 } }
        var migrations = Migrations()
        migrations.state(from: 1) { state in
            var state = state
            state["title"] = state["name"]
            return state
        }
        let found = try await Replay.state(
            of: journal, startingWith: New(), by: next,
            JournalCodec(for: next, migrations: migrations))
        #expect(found.state.title == "old" && found.state.rows[3] == 4)
    }

    @Test func `a text is taken out of installed states and of differences from them`() async throws
    {
        let store = makeShop(Self.large)
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        let history = History(of: store)
        for name in ["Ada", "Ada Lovelace", "plum"] { store.dispatch(Note(text: name)) }
        history.toggle(3)
        history.toggle(1)
        history.toggle(1)
        history.toggle(2)
        try await recorder.stop()
        let erased = try await journal.erase(.replacing("Ada", with: "A", in: .parts))
        #expect(erased.versions.contains(4))
        for entry in try journal.entries(from: 1, limit: .max) {
            #expect(!String(decoding: entry.payload, as: UTF8.self).contains("Ada"))
        }
        for (version, names) in [
            (4 as CommitVersion, ["A", "A Lovelace"]), (5, ["A Lovelace"]),
            (6, ["A", "A Lovelace"]),
            (7, ["A"]),
        ] {
            #expect(
                try await state(at: version, Self.large).left.items.dropFirst(100) == names[...])
        }
        let again = try await journal.erase(.replacing("Ada", with: "A", in: .parts))
        #expect(again.versions == [])
    }
}

/// Keeps the state of every version that a store showed.
final class ShownStates<State: Sendable>: CommitObserver {
    private let contents = Guarded<[CommitVersion: State]>([:])
    var states: [CommitVersion: State] { contents.withValue { $0 } }

    var needs: ObserverNeeds { .after }

    func observe(_ commit: Commit<State>) {
        guard let state = commit.after else { return }
        contents.withValue { $0[commit.entry.version] = state }
    }
}

struct InstallRecordingStressTests {
    /// Travels at random.
    private static func travel(_ history: History<Shop>, _ generator: inout SeededGenerator) {
        let count = history.log.staged.count
        let index = Int.random(in: 0...count, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...4: history.jump(to: index, isolation: nil)
        case 5: history.toggle(index, isolation: nil)
        case 6, 7: history.jumpToEnd(isolation: nil)
        case 8: history.perform(isolation: nil) { _ = $0.move(index, before: 1) }
        case 9:
            history.perform(isolation: nil) { log in
                if index % 3 == 0 { log.sweep() } else { log.rollback() }
            }
        case 10: history.perform(isolation: nil) { $0.commit() }
        default:
            history.perform(isolation: nil) { $0.pause(!$0.isPaused && index % 4 == 0) }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a journal leads to what the store showed at every version, whoever travels`(
        seed: UInt64
    ) async throws {
        let store = makeShop()
        let journal = MemoryJournal()
        let shown = ShownStates<Shop>()
        let token = store.log.attach(shown)
        var options = RecordingOptions()
        options.waitingBytes = .max
        options.snapshotSpacing = [nil, 16, 64][Int(seed % 3)]
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        let history = History(of: store, limit: seed % 2 == 0 ? 40 : 1_000, spacing: 8)
        let second = seed % 4 == 3 ? History(of: store, limit: 60, spacing: 8) : nil
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for number in 0..<40 {
                        store.dispatch(Note(text: "\(writer)-\(number)"), isolation: nil)
                    }
                }
            }
            for (number, history) in [history, second].enumerated() {
                guard let history else { continue }
                group.addTask {
                    var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
                    for _ in 0..<50 {
                        Self.travel(history, &generator)
                        if Bool.random(using: &generator) { await Task.yield() }
                    }
                }
            }
        }
        await store.waitUntilIdle()
        try await recorder.stop()
        let last = try await journal.lastVersion()
        #expect(last == store.version)
        let states = shown.states
        #expect(states.count == Int(last))
        let fresh = makeShop()
        let codec = JournalCodec(for: fresh)
        for version in 1...last {
            let found = try await Replay.state(
                of: journal, startingWith: Shop(), by: fresh, codec, at: version)
            #expect(found.state == states[version], "seed \(seed), version \(version)")
        }
        token.cancel()
    }
}
