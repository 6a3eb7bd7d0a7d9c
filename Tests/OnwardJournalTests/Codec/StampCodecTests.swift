// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal
@testable import TestSupport

/// What came with an action is in every log that has the action.
@Suite(.timeLimit(.minutes(5))) struct StampCodecTests {
    enum NoteAction: Action, Codable, Equatable { case add(title: String), mark, two(String, Int) }
    struct Raw: Action, Codable, RawRepresentable { let rawValue: Int }
    struct Odd: Action, Codable {
        var stamp: Int
        enum CodingKeys: String, CodingKey { case stamp = "@stamp" }
    }
    struct Note: Codable, Equatable, Sendable, Identifiable {
        let id: UniqueID
        var title: String
        var created: Timestamp
        var author: String?
    }
    struct App: Codable, Equatable, Sendable { var notes: [Note] = [] }

    static let app = Feature<App> {
        Reduce { (app: inout App, action: NoteAction, stamp) in
            app.notes.append(
                Note(id: stamp.id(), title: "\(action)", created: stamp.time, author: stamp.author))
        }
        Reduce { (app: inout App, action: Raw, stamp) in
            app.notes.append(Note(id: stamp.id(), title: "\(action)", created: stamp.time))
        }
        Reduce { (app: inout App, action: Odd, stamp) in
            app.notes.append(Note(id: stamp.id(), title: "\(action)", created: stamp.time))
        }
    }
    static let actions: [any Action] = [
        NoteAction.add(title: "a"), NoteAction.mark, NoteAction.two("b", 3), Raw(rawValue: 4),
        Odd(stamp: 5),
    ]

    static func store() -> Store<App> { Store(App()) { app } }

    static func dispatchAll(to store: Store<App>) {
        for action in actions {
            ActionAuthor.$current.withValue("ann") { _ = store.dispatch(action) }
        }
    }

    @Test(arguments: [DataFormat.cbor, .json])
    func `a journal leads to the same ids, times and authors`(_ format: DataFormat) async throws {
        let (store, journal) = (Self.store(), MemoryJournal())
        let codec = JournalCodec<App>(for: store, format: format)
        let recorder = try await JournalRecorder(of: store, into: journal, codec)
        Self.dispatchAll(to: store)
        try await recorder.stop()
        let replayed = try await Replay.state(
            of: journal, startingWith: App(), by: Self.store(), codec)
        #expect(replayed.state == store.state)
        #expect(store.state.notes.count == Self.actions.count)
        #expect(store.state.notes.first?.author == "ann")
    }

    @Test func `an old entry is given what follows from its own id`() async throws {
        let codec = ActionCodec(for: Self.store().log.actions)
        let bare = LogEntry(
            version: 1, action: NoteAction.mark, time: Timestamp(nanosecondsSince1970: 9))
        let (one, other) = (try codec.encode(bare), try codec.encode(bare))
        let stamps = try [one, one, other].map { try #require(try codec.decode($0).first?.stamp) }
        #expect(stamps[0] == stamps[1])
        #expect(stamps[0] != stamps[2])
        #expect(stamps[0].time == Timestamp(nanosecondsSince1970: 9))
    }

    @Test func `a migration sees the payload without the stamp, which stays`() throws {
        let stamp = EntryStamp(
            seed: .max, numbers: [3, .max], time: Timestamp(nanosecondsSince1970: -1), author: "ä")
        let seen = Log<DataValue>()
        var migrations = Migrations()
        migrations.action("StampCodecTests.NoteAction", from: 0) { record in
            seen.append(record.payload)
            return [record, record]
        }
        let codec = ActionCodec(for: Self.store().log.actions, migrations: migrations)
        let written = try codec.encode(
            LogEntry(version: 1, action: NoteAction.add(title: "a"), stamp: stamp))
        let old = JournalEntry(
            version: 1, name: written.name, schema: 0, payload: written.payload)
        let stamps = try codec.decode(old).map(\.stamp)
        #expect(stamps.first == stamp)
        // Several actions that come of one get ids of their own.
        #expect(stamps.count == 2 && stamps[0] != stamps[1])
        #expect(seen.all == [["title": .text("a")]])
    }

    @Test
    func `a file of Redux DevTools has stamps, and a history goes back and forward with them`()
        async throws
    {
        let store = Self.store()
        let history = History(of: store)
        Self.dispatchAll(to: store)
        let end = store.state
        history.jump(to: 2)
        history.jump(to: Self.actions.count)
        #expect(store.state == end)
        let codec = ActionCodec(for: store.log.actions)
        let file = try DevToolsFile(history.log.devToolsFile(codec))
        let other = Self.store()
        let read = History(of: other)
        try read.load(file, codec)
        #expect(other.state == end)
        read.jump(to: 1)
        read.jump(to: Self.actions.count)
        #expect(other.state == end)
    }

    @Test func `a generated test gives each action its stamp`() async throws {
        let store = Self.store()
        let recorder = LogRecorder(of: store)
        store.dispatch(NoteAction.add(title: "a"))
        let source = try Replay.testSource(
            of: recorder.entries, from: App(), by: store, named: "adds", making: "store()")
        #expect(source.contains("\"@stamp\""))
        let entry = try #require(recorder.entries.first)
        let codec = ActionCodec(for: store.log.actions, format: .json)
        let payload = try codec.record(of: entry.action).payload.stamped(entry.stamp)
        let log = RecordedLog(
            from: Replay.json(try DataValue(encoding: App())),
            [
                .init(
                    "StampCodecTests.NoteAction/add", Replay.json(payload),
                    gives: Replay.json(try DataValue(encoding: store.state)))
            ])
        try log.check(by: Self.store())
    }

    @Test func `what was withheld is given a stamp of its own`() {
        let store = Self.store()
        let history = History(of: store)
        store.dispatch(NoteAction.mark)
        history.jump(to: 0)
        store.dispatch(NoteAction.add(title: "later"))
        history.jump(to: history.log.staged.count)
        let end = store.state
        #expect(end.notes.count == 2)
        #expect(Set(end.notes.map(\.id)).count == 2)
        history.jump(to: 0)
        history.jump(to: history.log.staged.count)
        #expect(store.state == end)
    }
}
