// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Onward
import OnwardJournal
import OnwardServer
import OnwardSync
import Testing
import ToDoPage
import ToDoShared
import ToDoTasks

/// A server with a page, and clients that reach it through switches.
private struct World {
    let store: Store<SharedList>
    let server: SyncServer<SharedList>

    init(_ journal: MemoryJournal = MemoryJournal()) async throws {
        let kept = try await Persistence(of: SharedList(), in: journal) { sharedList }
        store = kept.store
        server = try await SyncServer(
            of: store, accepting: .actions(TaskAction.self), journal: journal,
            options: .sharedList)
    }

    func page(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        var options = ServerOptions(port: 0)
        options.logger.logLevel = .critical
        let pages = try PageServer.sharedList(
            hosting: .shared(store), in: server, options: options)
        try await pages.application().test(.router) { try await body($0) }
    }
}

/// A client, with a network that can be switched off.
private struct Client {
    let synced: SyncedStore<SharedList>
    let network: SwitchedTransport

    init(
        of world: World, in journal: MemoryJournal = MemoryJournal(), isOn: Bool = true
    ) async throws {
        network = SwitchedTransport(MemoryTransport(to: world.server), isOn: isOn)
        synced = try await SyncedStore(
            of: SharedList(), over: network, in: journal, options: .sharedList
        ) { sharedList }
    }

    var names: [String] { synced.store.state.tasks.map(\.name) }

    /// Does something; the version of the commit.
    @discardableResult
    func send(_ action: TaskAction) throws -> CommitVersion {
        try #require(synced.store.dispatch(action).version)
    }

    func shows(_ tasks: [TaskItem]) async throws {
        _ = try await synced.store.wait { Array($0.tasks) == tasks }
    }
}

@Suite(.timeLimit(.minutes(1))) struct SharedListTests {
    @Test func `a page and two clients have one list`() async throws {
        let world = try await World()
        let (ann, bob) = (try await Client(of: world), try await Client(of: world))
        try await world.page { page in
            let added = try ann.send(.add(name: "Buy milk"))
            #expect(await ann.synced.outcome(of: added) == .confirmed)
            let document = try await page.executeRequest(
                uri: "/", method: .get, headers: [:], body: nil)
            #expect(String(buffer: document.body).contains("Buy milk"))
            let task = try #require(world.store.state.tasks.first)
            // The id that the client drew is that of the server.
            #expect(ann.synced.store.state.tasks.first?.id == task.id)
            try await bob.shows([task])
            try await post(#"{"type":"TaskAction/mark","id":"\#(task.id)","isDone":"true"}"#, page)
            var done = task
            done.state = .done
            try await ann.shows([done])
            try await bob.shows([done])
        }
    }

    @Test func `who renames and who ticks a task offline both get their way`() async throws {
        let world = try await World()
        let (ann, bob) = (try await Client(of: world), try await Client(of: world))
        let added = try ann.send(.add(name: "Buy milk"))
        #expect(await ann.synced.outcome(of: added) == .confirmed)
        var task = try #require(world.store.state.tasks.first)
        try await bob.shows([task])
        ann.network.isOn = false
        try ann.send(.rename(id: task.id, name: "Buy oat"))
        let renamed = try ann.send(.rename(id: task.id, name: "Buy oat milk"))
        let ticked = try bob.send(.mark(id: task.id, isDone: true))
        #expect(await bob.synced.outcome(of: ticked) == .confirmed)
        ann.network.isOn = true
        #expect(await ann.synced.outcome(of: renamed) == .confirmed)
        (task.name, task.state) = ("Buy oat milk", .done)
        try await ann.shows([task])
        try await bob.shows([task])
    }

    @Test func `what was done to a task that others have deleted is refused with a reason`()
        async throws
    {
        let world = try await World()
        let (ann, bob) = (try await Client(of: world), try await Client(of: world))
        let added = try ann.send(.add(name: "Buy milk"))
        #expect(await ann.synced.outcome(of: added) == .confirmed)
        let task = try #require(world.store.state.tasks.first)
        try await bob.shows([task])
        ann.network.isOn = false
        let renamed = try ann.send(.rename(id: task.id, name: "Buy oat milk"))
        let deleted = try bob.send(.delete(id: task.id))
        #expect(await bob.synced.outcome(of: deleted) == .confirmed)
        ann.network.isOn = true
        guard case .refused(let refusal?) = await ann.synced.outcome(of: renamed) else {
            Issue.record("It wasn't refused.")
            return
        }
        #expect(refusal.reason(as: TaskRefusal.self) == .unknown)
        #expect(ann.names == [])
    }

    @Test func `a client that ends while it is offline comes back with what is pending`()
        async throws
    {
        let (world, journal) = (try await World(), MemoryJournal())
        do {
            let ann = try await Client(of: world, in: journal, isOn: false)
            try ann.send(.add(name: "Buy milk"))
            try await ann.synced.store.flush(.memory)
        }
        let ann = try await Client(of: world, in: journal, isOn: false)
        #expect(ann.names == ["Buy milk"])
        #expect(await ann.synced.confirmed.tasks.isEmpty)
        ann.network.isOn = true
        _ = try await world.store.wait { $0.tasks.count == 1 }
        _ = try await ann.synced.status.wait { $0.pending == 0 }
        #expect(await ann.synced.confirmed.tasks == world.store.state.tasks)
    }

    @Test func `no title is blank or longer than a line, wherever it comes from`() async throws {
        let world = try await World()
        let ann = try await Client(of: world)
        for (name, refusal) in [
            ("", TaskRefusal.nameless), (" ", .nameless),
            (String(repeating: "a", count: 201), .tooLong),
        ] {
            let result = ann.synced.store.dispatch(TaskAction.add(name: name))
            #expect(result.reason(as: TaskRefusal.self) == refusal)
            try await world.page { page in
                let answer = try await post(
                    #"{"type":"TaskAction/add","name":"\#(name)"}"#, page, expecting: 409)
                #expect(answer.contains(refusal.sentence))
            }
        }
        #expect(world.store.state.tasks.isEmpty)
    }

    @discardableResult
    private func post(
        _ fields: String, _ page: any TestClientProtocol, expecting status: Int = 200
    ) async throws -> String {
        let body = fields.dropLast() + #","request":"\#(UUID().uuidString)"}"#
        let answer = try await page.executeRequest(
            uri: "/", method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(string: String(body)))
        #expect(answer.status.code == status)
        return String(buffer: answer.body)
    }
}
