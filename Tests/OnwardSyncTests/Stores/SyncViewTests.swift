// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Synchronization
import Testing

@testable import OnwardSync

/// A state of which everybody sees a part.
struct Notes: Codable, Equatable, Sendable {
    struct Note: Identifiable, Codable, Equatable, Sendable {
        let id: String
        var text: String
        var readers: [String]
    }

    var title = ""
    var notes: EntityTable<Note> = []
    /// Shown to nobody.
    var log: [String] = []

    var texts: [String] { notes.map(\.text) }
}

enum NotesAction: Action, Codable, Equatable {
    case add(id: String, text: String, to: [String])
    case edit(id: String, text: String)
    case share(id: String, with: [String])
    case remove(id: String)
    case call(String)
    case log(String)
}

let notebook = Feature<Notes> {
    Reduce { (state: inout Notes, action: NotesAction) in
        switch action {
        case .add(let id, let text, let readers):
            state.notes.append(Notes.Note(id: id, text: text, readers: readers))
        case .edit(let id, let text): state.notes.update(id: id) { $0.text = text }
        case .share(let id, let readers): state.notes.update(id: id) { $0.readers = readers }
        case .remove(let id): state.notes.remove(id: id)
        case .call(let title): state.title = title
        case .log(let line): state.log.append(line)
        }
    }
}

/// Every message of a server, as it is on the wire.
private final class Wire: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func contains(_ text: String) -> Bool {
        bytes.withLock { $0.contains(Array(text.utf8)) }
    }

    func connection(to server: SyncServer<Notes>, as identity: String?) async -> SyncConnection {
        let connection = await server.connect(as: identity)
        let (messages, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let task = Task {
            do {
                for try await message in connection.messages {
                    bytes.withLock { $0 += message }
                    outlet.yield(message)
                }
                outlet.finish()
            } catch {
                outlet.finish(throwing: error)
            }
        }
        return SyncConnection(messages: messages) {
            try await connection.send($0)
        } close: {
            connection.close()
            task.cancel()
        }
    }
}

private struct NotesClient {
    let synced: SyncedStore<Notes>
    let wire: Wire
    let network: MemoryTransport
    let clock = ManualClock()

    var store: Store<Notes> { synced.store }

    init(
        of server: SyncServer<Notes>, as identity: String?,
        in journal: some Journal = MemoryJournal(),
        revision: String = ""
    ) async throws {
        let wire = Wire()
        network = MemoryTransport { await wire.connection(to: server, as: identity) }
        self.wire = wire
        var options = SyncOptions.notes
        options.revision = revision
        synced = try await SyncedStore(
            of: Notes(), over: network, in: journal, options: options,
            storeOptions: StoreOptions(clock: clock)
        ) { notebook }
        _ = try await synced.status.wait { $0.isOnline }
    }

    func shows(_ texts: [String]) async throws {
        _ = try await store.wait { $0.texts == texts }
    }
}

extension SyncOptions<Notes> {
    fileprivate static var notes: Self {
        var view = SyncView<Notes>()
        view.show(\.title, as: "title")
        view.showRows(of: \.notes, as: "notes", to: \.readers)
        var options = Self()
        options.view = view
        return options
    }
}

@Suite(.timeLimit(.minutes(2))) struct SyncViewTests {
    private let shared = Store(Notes()) { notebook }

    private func server() async throws -> SyncServer<Notes> {
        try await SyncServer(of: shared, accepting: .actions(NotesAction.self), options: .notes)
    }

    @Test func `a client has the slices of all and the rows that name it`() async throws {
        shared.dispatch(NotesAction.call("Today"))
        shared.dispatch(NotesAction.add(id: "1", text: "for ann", to: ["ann"]))
        shared.dispatch(NotesAction.add(id: "2", text: "for both", to: ["ann", "bob"]))
        let server = try await server()
        let ann = try await NotesClient(of: server, as: "ann")
        let bob = try await NotesClient(of: server, as: "bob")
        let anybody = try await NotesClient(of: server, as: nil)
        try await ann.shows(["for ann", "for both"])
        try await bob.shows(["for both"])
        _ = try await anybody.store.wait { $0.title == "Today" }
        #expect(anybody.store.state.texts == [])
        #expect(ann.store.state.title == "Today")
        shared.dispatch(NotesAction.edit(id: "2", text: "still for both"))
        shared.dispatch(NotesAction.add(id: "3", text: "for bob", to: ["bob"]))
        shared.dispatch(NotesAction.remove(id: "1"))
        try await ann.shows(["still for both"])
        try await bob.shows(["still for both", "for bob"])
    }

    @Test func `nothing on the wire says what a client may not see`() async throws {
        let server = try await server()
        let ann = try await NotesClient(of: server, as: "ann")
        shared.dispatch(NotesAction.add(id: "1", text: "SECRET-1", to: ["bob"]))
        let bob = try await NotesClient(of: server, as: "bob")
        try await bob.shows(["SECRET-1"])
        for action: NotesAction in [
            .log("SECRET-2"), .edit(id: "1", text: "SECRET-3"),
            .add(id: "2", text: "visible", to: ["ann"]), .share(id: "2", with: ["SECRET-4"]),
            .edit(id: "2", text: "SECRET-5"), .remove(id: "1"),
        ] {
            shared.dispatch(action)
        }
        bob.store.dispatch(NotesAction.add(id: "4", text: "SECRET-6", to: ["bob"]))
        try await bob.shows(["SECRET-6"])
        shared.dispatch(NotesAction.add(id: "5", text: "the end", to: ["ann"]))
        try await ann.shows(["the end"])
        // One who comes later as well.
        let late = try await NotesClient(of: server, as: "ann")
        try await late.shows(["the end"])
        #expect(ann.wire.contains("the end"))
        #expect(late.wire.contains("the end"))
        #expect(bob.wire.contains("SECRET-6"))
        for number in 1...6 {
            #expect(!ann.wire.contains("SECRET-\(number)"))
            #expect(!late.wire.contains("SECRET-\(number)"))
        }
    }

    @Test func `a row that one may no longer see is taken off the client and its disk`()
        async throws
    {
        func keeps(_ text: String, _ journal: MemoryJournal) async throws -> Bool {
            let first = try await journal.firstVersion()
            let entries = try journal.entries(from: first, limit: 1_000)
            let snapshot = try journal.snapshot(at: .max)
            let all = entries.flatMap(\.payload) + (snapshot?.payload ?? [])
            return all.contains(Array(text.utf8))
        }
        let server = try await server()
        let journal = MemoryJournal()
        let ann = try await NotesClient(of: server, as: "ann", in: journal)
        shared.dispatch(NotesAction.add(id: "1", text: "between us", to: ["ann"]))
        shared.dispatch(NotesAction.edit(id: "1", text: "a confidence"))
        try await ann.shows(["a confidence"])
        try await ann.synced.store.flush(.memory)
        #expect(try await keeps("a confidence", journal))
        shared.dispatch(NotesAction.share(id: "1", with: ["bob"]))
        try await ann.shows([])
        try await ann.synced.store.flush(.memory)
        #expect(try await !keeps("between us", journal))
        #expect(try await !keeps("a confidence", journal))
    }

    @Test func `an action whose effect the client doesn't see is confirmed`() async throws {
        let client = try await NotesClient(of: server(), as: "ann")
        let version = client.store.dispatch(NotesAction.log("done")).version ?? 0
        #expect(await client.synced.outcome(of: version) == .confirmed)
        #expect(shared.state.log == ["done"])
        _ = try await client.store.wait { $0.log == [] }
        let second = client.store.dispatch(NotesAction.call("mine")).version ?? 0
        let commits = client.store.log.version
        #expect(await client.synced.outcome(of: second) == .confirmed)
        #expect(client.store.log.version == commits)
    }

    @Test func `a device that another person uses has nothing of the one before`() async throws {
        let server = try await server()
        let journal = MemoryJournal()
        shared.dispatch(NotesAction.add(id: "1", text: "for ann", to: ["ann"]))
        shared.dispatch(NotesAction.add(id: "2", text: "for bob", to: ["bob"]))
        do {
            let ann = try await NotesClient(of: server, as: "ann", in: journal)
            try await ann.shows(["for ann"])
            await ann.synced.stop()
        }
        let bob = try await NotesClient(of: server, as: "bob", in: journal)
        try await bob.shows(["for bob"])
    }

    @Test func `a client with other reducers gets the same changes`() async throws {
        let server = try await server()
        let client = try await NotesClient(of: server, as: "ann", revision: "newer")
        shared.dispatch(NotesAction.add(id: "1", text: "a", to: ["ann"]))
        try await client.shows(["a"])
        shared.dispatch(NotesAction.edit(id: "1", text: "b"))
        try await client.shows(["b"])
    }

    @Test func `what a gate of the server installs changes views`() async throws {
        let server = try await server()
        let history = History(of: shared)
        let ann = try await NotesClient(of: server, as: "ann")
        shared.dispatch(NotesAction.add(id: "1", text: "a", to: ["ann"]))
        try await ann.shows(["a"])
        history.jump(to: 0)
        try await ann.shows([])
        history.jumpToEnd()
        try await ann.shows(["a"])
    }
}

/// Notes in lists, whose members may see them.
private struct Board: Codable, Equatable, Sendable {
    struct List: Identifiable, Codable, Equatable, Sendable {
        let id: Int
        var members: [String]
    }
    struct Note: Identifiable, Codable, Equatable, Sendable {
        let id: Int
        var list: Int?
        var text: String
    }

    var lists: EntityTable<List> = []
    var notes: EntityTable<Note> = []

    var texts: [String] { notes.map(\.text) }
}

private enum BoardAction: Action, Codable {
    case share(Int, with: [String])
    case delete(Int)
    case put(Board.Note)
    case drop(Int)
}

private let board = Feature<Board> {
    Reduce { (board: inout Board, action: BoardAction) in
        switch action {
        case .share(let id, let members):
            _ = board.lists.upsert(contentsOf: [Board.List(id: id, members: members)])
        case .delete(let id): board.lists.remove(id: id)
        case .put(let note): _ = board.notes.upsert(contentsOf: [note])
        case .drop(let id): board.notes.remove(id: id)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct SyncViewThroughRowsTests {
    private let shared = Store(Board()) { board }
    /// How many lists were asked for their members.
    private let asked = Counter()

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func add() { count.withLock { $0 += 1 } }
        func take() -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }

    private var view: SyncView<Board> {
        var view = SyncView<Board>()
        view.showRows(
            of: \.notes, as: "notes", through: \.lists, by: \.list,
            to: { [asked] list in
                asked.add()
                return list.members
            })
        return view
    }

    private func put(_ id: Int, in list: Int?, _ text: String) {
        shared.dispatch(BoardAction.put(Board.Note(id: id, list: list, text: text)))
    }

    @Test func `who is a member of a list sees its notes, and nobody else`() async throws {
        var options = SyncOptions<Board>()
        options.view = view
        let server = try await SyncServer(
            of: shared, accepting: .actions(BoardAction.self), options: options)
        func client(_ name: String) async throws -> SyncedStore<Board> {
            let synced = try await SyncedStore(
                of: Board(), over: MemoryTransport(to: server, as: name), in: MemoryJournal(),
                options: options, storeOptions: StoreOptions(clock: ManualClock())
            ) { board }
            _ = try await synced.status.wait { $0.isOnline }
            return synced
        }
        shared.dispatch(BoardAction.share(1, with: ["ann"]))
        put(10, in: 1, "a")
        put(11, in: nil, "nobody's")
        let (ann, bob) = (try await client("ann"), try await client("bob"))
        func show(_ anns: [String], _ bobs: [String]) async throws {
            // Those who see nothing of it hear nothing of it.
            _ = try await ann.store.wait { $0.texts == anns }
            _ = try await bob.store.wait { $0.texts == bobs }
        }
        try await show(["a"], [])
        put(12, in: 1, "b")
        shared.dispatch(BoardAction.share(1, with: ["ann", "bob"]))
        try await show(["a", "b"], ["a", "b"])
        shared.dispatch(BoardAction.share(2, with: ["bob"]))
        put(12, in: 2, "moved")
        try await show(["a"], ["a", "moved"])
        // Of both tables in one commit nothing is forgotten.
        shared.batch {
            put(13, in: 2, "c")
            shared.dispatch(BoardAction.share(2, with: ["ann"]))
        }
        try await show(["a", "moved", "c"], ["a"])
        shared.dispatch(BoardAction.delete(1))
        try await show(["moved", "c"], [])
        shared.dispatch(BoardAction.share(1, with: ["bob"]))
        try await show(["moved", "c"], ["a"])
        shared.dispatch(BoardAction.drop(12))
        try await show(["c"], ["a"])
    }

    @Test func `what a commit costs grows with the rows whose readers it has changed`() throws {
        for list in 0..<100 { shared.dispatch(BoardAction.share(list, with: ["ann"])) }
        for note in 0..<1_000 { put(note, in: note % 100, "\(note)") }
        let view = view
        var memory: SyncView<Board>.Memory = [:]
        func changes(_ action: BoardAction) throws -> (rows: [[UInt8]?], asked: Int) {
            let before = shared.state
            shared.dispatch(action)
            _ = asked.take()
            let changes = try #require(view.changes(from: before, to: shared.state, &memory))
            return (changes.map(\.change.row), asked.take())
        }
        let moved = try changes(.share(7, with: ["bob"]))
        #expect(moved.rows.count == 10)
        #expect(moved.asked <= 30)
        let edited = try changes(.put(Board.Note(id: 3, list: 3, text: "x")))
        #expect(edited.rows == [[3]])
        #expect(edited.asked <= 4)
        let same = try changes(.share(8, with: ["ann"]))
        #expect(same.rows.isEmpty)
        #expect(same.asked <= 2)
    }
}
