// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting

/// The app of these tests, the same on a server and its clients.
struct TodoList: Codable, Equatable, Sendable {
    struct Item: Identifiable, Codable, Equatable, Sendable {
        let id: String
        var title: String
        var by: String?
    }

    var items: EntityTable<Item> = []
    /// What is being typed, on one client.
    var draft = ""
    var isOpen = true

    var titles: [String] { items.map(\.title) }
}

enum TodoAction: Action, Codable, Equatable {
    case add(id: String, title: String)
    /// Gets an id from its stamp.
    case note(title: String)
    case rename(id: String, title: String)
    case open(Bool)
}

enum DraftAction: Action, Codable, Equatable {
    case typed(String)
}

enum TodoRefusal: RefusalReason {
    case taken(by: String)
    case gone
    var sentence: String {
        switch self {
        case .taken(let title): "There is \(title) already."
        case .gone: "It is no longer there."
        }
    }
}

let todoList = Feature<TodoList> {
    Check { (list: TodoList, action: TodoAction) throws(TodoRefusal) in
        switch action {
        case .add(let id, _):
            if let item = list.items[id: id] { throw .taken(by: item.title) }
        case .rename(let id, _): if list.items[id: id] == nil { throw .gone }
        case .note, .open: break
        }
    }
    Reduce { (list: inout TodoList, action: TodoAction, stamp) in
        switch action {
        case .add(let id, let title): list.items.append(TodoList.Item(id: id, title: title))
        case .note(let title):
            list.items.append(
                TodoList.Item(id: "\(stamp.id())", title: title, by: stamp.author))
        case .rename(let id, let title): list.items.update(id: id) { $0.title = title }
        case .open(let isOpen): list.isOpen = isOpen
        }
    }
    Reduce { (list: inout TodoList, action: DraftAction) in
        switch action {
        case .typed(let text): list.draft = text
        }
    }
}

/// A client of a test, with a network and a clock of its own.
struct TodoClient {
    let synced: SyncedStore<TodoList>
    let network: MemoryTransport
    let clock: ManualClock

    var store: Store<TodoList> { synced.store }

    init(
        of server: SyncServer<TodoList>, as identity: String? = nil, isConnected: Bool = true,
        in journal: some Journal = MemoryJournal(), revision: String = "",
        _ more: Feature<TodoList> = Feature {}
    ) async throws {
        let network = MemoryTransport(to: server, as: identity)
        try await self.init(
            over: network, isConnected: isConnected, in: journal, revision: revision, more)
    }

    init(
        over network: MemoryTransport, isConnected: Bool = true,
        in journal: some Journal = MemoryJournal(), revision: String = "",
        _ more: Feature<TodoList> = Feature {}
    ) async throws {
        let clock = ManualClock()
        var options = SyncOptions<TodoList>()
        options.revision = revision
        options.keepLocal(\.draft, changedBy: DraftAction.self)
        options.compact(TodoAction.self) { action, earlier in
            guard case .rename(let id, _) = action, case .rename(id, _) = earlier else {
                return false
            }
            return true
        }
        network.isConnected = isConnected
        synced = try await SyncedStore(
            of: TodoList(), over: network, in: journal, options: options,
            storeOptions: StoreOptions(clock: clock)
        ) {
            todoList
            more
        }
        self.network = network
        self.clock = clock
        if isConnected { try await online() } else { await clock.sleepers(2) }
    }

    func online() async throws {
        _ = try await synced.status.wait { $0.isOnline }
    }

    /// Cuts the connection, and waits until the client knows.
    func cut() async throws {
        network.isConnected = false
        _ = try await synced.status.wait { !$0.isOnline }
    }

    /// Has a network again, and waits until the client uses it.
    func reconnect() async throws {
        await clock.sleepers(2)
        network.isConnected = true
        clock.advance(by: .seconds(20))
        try await online()
    }

    /// Waits until it shows exactly these titles.
    func shows(_ titles: [String]) async throws {
        _ = try await store.wait { $0.titles == titles }
    }

    @discardableResult
    func add(_ id: String) -> CommitVersion {
        store.dispatch(TodoAction.add(id: id, title: id)).version ?? 0
    }
}

extension SyncServer where State == TodoList {
    /// A server in memory.
    static func inMemory(
        _ store: Store<TodoList>
    ) async throws -> SyncServer {
        try await SyncServer(
            of: store, accepting: .actions(TodoAction.self))
    }
}
