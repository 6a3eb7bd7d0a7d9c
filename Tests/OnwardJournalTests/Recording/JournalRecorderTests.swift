// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import protocol TestSupport.ForwardingJournal

struct JournalRecorderTests {
    private let store = makeShop()
    private let journal = MemoryJournal()

    private func put(_ names: String, into store: Store<Shop>) {
        for name in names { store.scoped(to: \.left).dispatch(add(String(name))) }
    }

    private func read(
        _ journal: some Journal, _ revision: String = ""
    ) async throws -> ReplayedState<Shop> {
        let fresh = makeShop()
        return try await Replay.state(
            of: journal, startingWith: Shop(), by: fresh,
            JournalCodec(for: fresh, revision: revision))
    }

    @Test func `what was dispatched can be read again, and leads to the same state`() async throws {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        put("abc", into: store)
        store.dispatch(Note(text: "hi"))
        store.dispatch(BasketAction.discount(10))
        try await recorder.flush()
        let entries = try journal.entries(from: 1, limit: 100)
        #expect(
            entries.map(\.name) == [
                "BasketAction/add", "BasketAction/add", "BasketAction/add", "Note",
                "BasketAction/discount",
            ])
        #expect(entries[0].address.description == "left")
        #expect(entries[0].time != nil)
        let found = try await read(journal)
        #expect(found.state == store.state)
        #expect(found.version == 5)
        #expect(found.featureChange == nil)
        #expect(recorder.status.version == 5 && recorder.status.waiting == 0)
    }

    @Test func `the next program goes on where the last one stopped`() async throws {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        put("ab", into: store)
        await store.shutdown()
        try await recorder.stop()
        let before = try await read(journal)
        let next = makeShop(before.state)
        let second = try await JournalRecorder(
            of: next, into: journal, JournalCodec(for: next), after: before.version)
        put("c", into: next)
        try await second.stop()
        #expect(try await read(journal).state.left.items == ["a", "b", "c"])
        #expect(try await journal.lastVersion() == 3)
    }

    @Test func `a recorder that does not know the journal's end is refused`() async throws {
        try journal.append([JournalEntry(version: 1, name: "Note")], after: .start)
        await #expect {
            _ = try await JournalRecorder(of: store, into: journal, JournalCodec(for: store))
        } throws: { ($0 as? JournalError)?.code == .conflict }
        put("a", into: store)
        #expect(try await journal.lastVersion() == 1)
    }

    @Test func `parents are entries of the journal`() async throws {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), after: 0)
        let history = History(of: store)
        put("a", into: store)
        history.jump(to: 0)
        history.jumpToEnd()
        let token = store.subscribe(\.left.items.count, isolation: nil) { _, count in
            if count == 2 { store.dispatch(Note(text: "two"), isolation: nil) }
        }
        put("b", into: store)
        try await recorder.flush()
        let entries = try journal.entries(from: 1, limit: 10)
        #expect(
            entries.map(\.name)
                == ["BasketAction/add", "Travel", "Travel", "BasketAction/add", "Note"])
        #expect(entries[4].parent == 4)
        token.cancel()
    }

    @Test func `snapshots are stored on the way, and reading begins with them`() async throws {
        var options = RecordingOptions()
        options.snapshotSpacing = 5
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        for name in "abcdefghijklm" {
            put(String(name), into: store)
            try await recorder.flush()
        }
        let snapshot = try #require(try journal.snapshot(at: .max))
        #expect(snapshot.version == 10)
        let codec = JournalCodec(for: store)
        #expect(try codec.states.decode(snapshot).left.items.joined() == "abcdefghij")
        try journal.truncate(before: 11)
        #expect(try await read(journal).state == store.state)
        try await recorder.stop()
    }

    @Test func `a snapshot that cannot be read is skipped for an older one, or for the entries`()
        async throws
    {
        let journal = MemoryJournal()
        let codec = JournalCodec(for: store)
        let recorder = try await JournalRecorder(of: store, into: journal, codec)
        put("abcd", into: store)
        try await recorder.stop()
        for version: CommitVersion in [2, 4] {
            try journal.store(
                JournalSnapshot(version: version, fingerprint: codec.fingerprint, payload: [0xFF]))
        }
        let found = try await read(journal)
        #expect(found.state.left.items.joined() == "abcd")
        #expect(found.passedSnapshots.map(\.version) == [4, 2])
        #expect(found.passedSnapshots.map(\.code) == [.unreadable, .unreadable])
        // Entries are missing that it stands for.
        try journal.truncate(before: 3)
        await #expect {
            try await read(journal)
        } throws: {
            "\($0)".hasPrefix("The snapshot at version 4 cannot be decoded")
        }
    }

    @Test func `a burst that finds no room is one entry, which says how many are missing`()
        async throws
    {
        let gate = Gate()
        let reports = Guarded<[JournalError]>([])
        var options = RecordingOptions()
        options.waitingBytes = 1
        options.report = { error in reports.withValue { $0.append(error) } }
        let recorder = try await JournalRecorder(
            of: store, into: GatedJournal(base: journal, gate: gate), JournalCodec(for: store),
            options: options)
        put("a", into: store)
        await gate.waitForCaller()
        put("bcdefgh", into: store)
        let error = try #require(reports.withValue { $0.first })
        #expect(error.code == .overflow && error.version == 3)
        #expect(error.description.contains("BasketAction/add, commit 3, has no room"))
        #expect(recorder.status.failure == nil)
        gate.open()
        try await recorder.flush()
        put("i", into: store)
        try await recorder.stop()
        #expect(reports.withValue { $0 } == [error])
        let entries = try journal.entries(from: 1, limit: 10)
        #expect(entries.map(\.kind) == [.action, .action, .install, .action])
        #expect(
            entries.map(\.missing) == [nil, nil, MissingCommits(count: 6, first: 3, last: 8), nil])
        #expect(entries[2].name == MissingCommits.entryName && entries[2].time != nil)
        #expect(try await read(journal).state.left.items.joined() == "abcdefghi")
        #expect(try await read(journal).state == store.state)
    }

    @Test func `a state that was shown in a gap is written whole when it is shown again`()
        async throws
    {
        let gate = Gate()
        var options = RecordingOptions()
        options.waitingBytes = 1
        options.snapshotSpacing = 2
        options.report = { _ in }
        let recorder = try await JournalRecorder(
            of: store, into: GatedJournal(base: journal, gate: gate), JournalCodec(for: store),
            options: options)
        let history = History(of: store)
        put("a", into: store)
        await gate.waitForCaller()
        put("bcdefgh", into: store)
        gate.open()
        try await recorder.flush()
        for moment in [4, 1, 8, 3] {
            history.jump(to: moment)
            try await recorder.flush()
            #expect(try await read(journal).state == store.state)
        }
        history.detach()
        put("i", into: store)
        try await recorder.stop()
        #expect(try await read(journal).state == store.state)
        let all = try await Replay.state(
            of: WithoutSnapshots(base: journal), startingWith: Shop(), by: makeShop(),
            JournalCodec(for: makeShop()))
        #expect(all.state == store.state)
    }

    @Test(arguments: [1, 2_000, 100_000])
    func `entries and what is missing account for every commit, whatever the bound`(
        bytes: Int
    ) async throws {
        var options = RecordingOptions()
        options.waitingBytes = bytes
        options.snapshotSpacing = 50
        options.report = { _ in }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [store] in
                    for number in 0..<2_000 {
                        if number % 500 == 0 { await Task.yield() }
                        store.dispatch(BasketAction.discount(number % 7))
                    }
                }
            }
            group.addTask { try? await recorder.flush() }
        }
        try await recorder.stop()
        let entries = try journal.entries(from: 1, limit: .max)
        let missing = entries.compactMap(\.missing)
        #expect(
            entries.count(where: { $0.kind == .action }) + missing.reduce(0) { $0 + $1.count }
                == 8_000)
        #expect(missing.allSatisfy { $0.last - $0.first + 1 == CommitVersion($0.count) })
        #expect(try await read(journal).state == store.state)
        var version = CommitVersion.max
        while let snapshot = try journal.snapshot(at: version), snapshot.version > 0 {
            let codec = JournalCodec(for: store)
            let folded = try await Replay.state(
                of: WithoutSnapshots(base: journal), startingWith: Shop(), by: makeShop(), codec,
                at: snapshot.version)
            #expect(try codec.states.decode(snapshot) == folded.state)
            version = snapshot.version - 1
        }
    }

    @Test func `a journal that fails for good ends the recording, and is tried again before`()
        async throws
    {
        let calls = Counter()
        let reports = Guarded<[JournalError]>([])
        var options = RecordingOptions()
        options.retries = 3
        options.retryPause = .zero
        options.report = { error in reports.withValue { $0.append(error) } }
        let recorder = try await JournalRecorder(
            of: store, into: BrokenJournal(base: journal, fault: .fullDisk(calls)),
            JournalCodec(for: store), options: options)
        put("ab", into: store)
        await #expect {
            try await recorder.flush()
        } throws: { ($0 as? JournalError)?.code == .storage }
        #expect(calls.total == 4)
        #expect(reports.withValue { $0.count } == 4)
        put("c", into: store)
        #expect(store.state.left.items.joined() == "abc")
        #expect(recorder.status.failure?.code == .storage)
        #expect(recorder.status.waiting == 0)
    }

    @Test func `an action that cannot be written ends the recording with what to do`() async throws
    {
        struct Secret: Action {}
        let store = Store(Shop()) {
            Reduce { (shop: inout Shop, _: Secret) in shop.left.total += 1 }
        }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        store.dispatch(Secret())
        await #expect {
            try await recorder.flush()
        } throws: { "\($0)".contains("Codable {}") }
    }

    @Test func `what could not be read again is not written`() async throws {
        indirect enum Deep: Action, Codable {
            case end
            case more(Deep)
        }
        let store = Store(Shop()) { Reduce { (shop: inout Shop, _: Deep) in shop.left.total += 1 } }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        store.dispatch(Deep.end)
        store.dispatch((0..<100).reduce(Deep.end) { deep, _ in .more(deep) })
        await #expect {
            try await recorder.flush()
        } throws: { "\($0)".contains("deeper than 128 levels") }
        #expect(try await journal.lastVersion() == 1)
    }

    @Test func `what came before an action that can't be written is written`() async throws {
        struct Secret: Action, Codable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        let store = Store(Shop()) {
            Scope(\.left, basket)
            Reduce { (shop: inout Shop, _: Secret) in shop.left.total = 0 }
        }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        store.batch {
            put("abc", into: store)
            store.dispatch(Secret())
            put("d", into: store)
        }
        await #expect(throws: JournalError.self) { try await recorder.flush() }
        #expect(try await journal.lastVersion() == 3)
        #expect(recorder.status.version == 3)
    }

    @Test func `a second writer stops the recording`() async throws {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        try journal.append([JournalEntry(version: 1, name: "SomebodyElse")], after: .start)
        put("a", into: store)
        await #expect {
            try await recorder.flush()
        } throws: { ($0 as? JournalError)?.code == .conflict }
        #expect(try await journal.lastVersion() == 1)
    }

    @Test func `entries go behind those of others where that is wanted`() async throws {
        var options = RecordingOptions()
        options.others = .appendBehindThem
        options.snapshotSpacing = 1
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        let note = try ActionCodec(for: store.log.actions).encode(
            LogEntry(version: 1, action: Note(text: "theirs")))
        try journal.append([note], after: .start)
        put("ab", into: store)
        try await recorder.flush()
        #expect(try journal.entries(from: 1, limit: 9).map(\.version) == [1, 2, 3])
        #expect(try await read(journal).state.left.items == ["theirs", "a", "b"])
        #expect(try journal.snapshot(at: .max)?.version == 0)
        try await recorder.stop()
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `nothing is lost or doubled in a journal that is slow and fails`(seed: UInt64) async throws
    {
        var options = RecordingOptions()
        options.retries = 200
        options.retryPause = .zero
        options.snapshotSpacing = 7
        options.others = .appendBehindThem
        let hasOthers = seed % 2 == 0
        let disturbed = FaultInjectingJournal(
            journal,
            FaultInjectingJournal.Disturbance(
                slowness: Int(seed % 4), failures: 30, others: hasOthers ? 20 : 0), seed: seed)
        var recorder: JournalRecorder<Shop>?
        while recorder == nil {
            recorder = try? await JournalRecorder(
                of: store, into: disturbed, JournalCodec(for: store), options: options)
        }
        let letters = "abcdefghijklmnopqrstuvwxyz"
        for letter in letters {
            put(String(letter), into: store)
            if "fmt".contains(letter) { try await recorder?.flush() }
        }
        try await recorder?.stop()
        let entries = try journal.entries(from: 1, limit: .max)
        let codec = ActionCodec(for: store.log.actions)
        let mine = try entries.filter { $0.name != FaultInjectingJournal<MemoryJournal>.othersName }
            .flatMap { try codec.decode($0) }
            .compactMap { entry -> String? in
                guard case .add(let name, _)? = entry.action as? BasketAction else { return nil }
                return name
            }
        #expect(mine.joined() == letters)
        if !hasOthers { #expect(try await read(journal).state == store.state) }
    }

    @Test func `a state that other features recorded says so`() async throws {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store, revision: "1"))
        put("ab", into: store)
        try await recorder.stop()
        #expect(try await read(journal, "1").featureChange == nil)
        let change = try #require(try await read(journal, "2").featureChange)
        #expect(change.first == 1 && change.last == 2)
        #expect(change.description.contains("The entries 1 to 2 were replayed by the new ones"))
        #expect(change.outcome == .replayed && change.snapshot == 0)
        // The next recorder says again which features record.
        let next = makeShop(try await read(journal, "2").state)
        let second = try await JournalRecorder(
            of: next, into: journal, JournalCodec(for: next, revision: "2"), after: 2)
        try await second.stop()
        #expect(try await read(journal, "2").featureChange == nil)
    }

    @Test func `an entry that cannot be read stops the selection, or is reported and left out`()
        async throws
    {
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        put("a", into: store)
        try await recorder.stop()
        try journal.append(
            [JournalEntry(version: 2, name: "Gone", payload: [0xA0])],
            after: journal.lastPosition())
        await #expect {
            _ = try await read(journal)
        } throws: { ($0 as? JournalError)?.version == 2 }
        let reports = Guarded<[String]>([])
        var codec = JournalCodec(for: store)
        codec.whenUnreadable = .quarantine { entry in
            reports.withValue { $0.append(entry.payload) }
        }
        let found = try await Replay.state(
            of: journal, startingWith: Shop(), by: store, codec)
        #expect(found.quarantined == 1)
        #expect(reports.withValue { $0 } == ["{}"])
        #expect(found.state.left.items == ["a"])
    }

    @Test func `a follower of the journal sees what is dispatched`() async throws {
        let journal = journal
        let reader = Task {
            var names: [String] = []
            for try await entry in journal.follow() {
                names.append(entry.name)
                if names.count == 3 { break }
            }
            return names
        }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        put("ab", into: store)
        store.dispatch(Note(text: "x"))
        #expect(try await reader.value == ["BasketAction/add", "BasketAction/add", "Note"])
        try await recorder.stop()
    }

    @Test func `a wait for the journal ends when its task is cancelled`() async throws {
        let gate = Gate()
        let recorder = try await JournalRecorder(
            of: store, into: GatedJournal(base: journal, gate: gate), JournalCodec(for: store))
        put("a", into: store)
        let waiting = Task { try await recorder.flush() }
        await gate.waitForCaller()
        waiting.cancel()
        await #expect {
            try await waiting.value
        } throws: { ($0 as? JournalError)?.code == .closed }
        gate.open()
        try await recorder.stop()
        #expect(try await journal.lastVersion() == 1)
    }

    @Test func `a released recorder writes what it had seen`() async throws {
        var recorder: JournalRecorder<Shop>? = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        #expect(recorder?.status.failure == nil)
        put("abc", into: store)
        recorder = nil
        put("d", into: store)
        try await journal.wait(after: 2)
        #expect(try await journal.lastVersion() == 3)
    }

    @Test func `the steps of undo survive that their entries are forgotten`() async throws {
        struct Text: Codable, Equatable, Sendable { var text = "" }
        struct Editor: Codable, Sendable { var text = Text(), undo = UndoStack<Text>() }
        struct Write: Action, Codable { var text: String }
        func editor(_ editor: Editor = Editor()) -> Store<Editor> {
            Store(editor) {
                Undoable(\.text, stack: \.undo) {
                    Reduce { (editor: inout Editor, action: Write) in
                        editor.text.text += action.text
                    }
                }
                .recording(Write.self)
            }
        }
        let store = editor()
        var options = RecordingOptions()
        options.snapshotSpacing = 1
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        for text in ["a", "b", "c"] { store.dispatch(Write(text: text)) }
        if let undo = store.state.undo.undo { store.dispatch(undo) }
        try await recorder.flush()
        try await recorder.stop()
        let base = try #require(try journal.snapshot(at: .max)).version
        try journal.truncate(before: base + 1)
        let found = try await Replay.state(
            of: journal, startingWith: Editor(), by: store, JournalCodec(for: store))
        let next = editor(found.state)
        #expect(next.state.text.text == "ab")
        if let undo = next.state.undo.undo { next.dispatch(undo) }
        if let undo = next.state.undo.undo { next.dispatch(undo) }
        #expect(next.state.text.text.isEmpty)
        while let redo = next.state.undo.redo { next.dispatch(redo) }
        #expect(next.state.text.text == "abc")
    }
}

struct JournalRecorderStressTests {
    @Test func `the journal of several threads leads to the store's state`() async throws {
        let store = makeShop()
        let journal = MemoryJournal()
        var options = RecordingOptions()
        options.waitingBytes = .max
        options.snapshotSpacing = 64
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), options: options)
        let (writers, each) = (4, 500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    let left = store.scoped(to: \.left)
                    for number in 0..<each {
                        left.dispatch(add("\(writer)-\(number)"), isolation: nil)
                        if number % 100 == 0 { try await recorder.flush() }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await recorder.stop()
        #expect(try await journal.lastVersion() == CommitVersion(writers * each))
        for version in [CommitVersion.max, 777, 64] {
            let read = try await Replay.state(
                of: journal, startingWith: Shop(), by: store, JournalCodec(for: store), at: version)
            let expected = store.state.left.items.prefix(Int(min(version, 2_000)))
            #expect(read.state.left.items == Array(expected))
        }
    }
}

/// A journal whose entries have to be run from the first one on.
private struct WithoutSnapshots: ForwardingJournal {
    let base: MemoryJournal

    func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? { nil }
}
