// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Hummingbird
import Logging
import Mustache
import Onward
import OnwardJournal
import OnwardServer
import OnwardTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import OnwardSync

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(2))) struct WebTransportTests {
    /// Serves a kept list on a free port of this machine, as long as the body runs, and `last` if that goes on while the
    /// server is shut down.
    private func serve(
        _ journal: MemoryJournal, at port: Port, whileShuttingDown last: Client? = nil,
        _ body: @Sendable (Store<TodoList>) async throws -> Void
    ) async throws {
        let kept = try await Persistence(of: TodoList(), in: journal) { todoList }
        let server = try await SyncServer(
            of: kept.store, accepting: .actions(TodoAction.self), journal: journal)
        let page = try Page<TodoList>(
            title: "List", templates: MustacheLibrary(), accepts: []
        ) { _ in [] }
        let endpoint = Endpoint.sync(server) { token in
            guard token != "stranger" else { throw MemoryTransport.CutOff() }
            return token
        }
        var options = ServerOptions(port: 0)
        options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (listening, listens) = AsyncStream<Int>.makeStream()
        options.onListening = { listens.yield($0) }
        let pages = PageServer(
            page, hosting: .shared(kept.store), endpoints: [endpoint], options: options)
        let service = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [pages.application()], logger: options.logger))
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            for await here in listening {
                port.number.withLock { $0 = here }
                break
            }
            try await body(kept.store)
            if last == nil { await server.stop() }
            await service.triggerGracefulShutdown()
            if let last { await last() }
            try await group.waitForAll()
        }
        try await kept.flush()
    }

    private typealias Client = @Sendable () async -> Void

    private final class Port: Sendable {
        let number = Mutex(0)
    }

    /// A network to whatever listens there, which can be cut.
    private func network(to port: Port, as token: String) -> MemoryTransport {
        MemoryTransport {
            let number = port.number.withLock(\.self)
            guard let url = URL(string: "http://127.0.0.1:\(number)/sync/") else {
                throw MemoryTransport.CutOff()
            }
            return try await WebTransport(to: url) { token }.connect()
        }
    }

    @Test func `two clients agree over HTTP, after one was cut off and the server started again`()
        async throws
    {
        let (journal, port) = (MemoryJournal(), Port())
        let clients = Mutex<[TodoClient]>([])
        try await serve(journal, at: port) { store in
            let ann = try await TodoClient(over: network(to: port, as: "ann"))
            let bob = try await TodoClient(over: network(to: port, as: "bob"))
            clients.withLock { $0 = [ann, bob] }
            #expect(await ann.synced.outcome(of: ann.add("a")) == .confirmed)
            try await bob.shows(["a"])
            try await ann.cut()
            let later = ann.add("c")
            #expect(await bob.synced.outcome(of: bob.add("b")) == .confirmed)
            try await ann.reconnect()
            #expect(await ann.synced.outcome(of: later) == .confirmed)
            try await bob.shows(["a", "b", "c"])
            try await ann.shows(["a", "b", "c"])
            let note = ann.store.dispatch(TodoAction.note(title: "d")).version ?? 0
            #expect(await ann.synced.outcome(of: note) == .confirmed)
            #expect(store.state.items.last?.by == "ann")
            try await ann.cut()
            try await bob.cut()
        }
        let (ann, bob) = clients.withLock { ($0[0], $0[1]) }
        let version = bob.add("e")
        try await serve(journal, at: port) { store in
            try await ann.reconnect()
            try await bob.reconnect()
            #expect(await bob.synced.outcome(of: version) == .confirmed)
            let expected = ["a", "b", "c", "d", "e"]
            #expect(store.state.titles == expected)
            try await ann.shows(expected)
            try await bob.shows(expected)
            await ann.synced.stop()
            await bob.synced.stop()
        }
    }

    @Test func `who waits for a message is answered when the server is shut down`() async throws {
        let port = Port()
        @Sendable func post(_ body: WebRequest) async throws -> WebAnswer {
            let number = port.number.withLock(\.self)
            var request = URLRequest(
                url: try #require(URL(string: "http://127.0.0.1:\(number)/sync/messages")))
            request.httpMethod = "POST"
            request.httpBody = Data(WebMessage.bytes(of: body))
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            let (data, response) = try await URLSession.shared.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            return try WebMessage.read(WebAnswer.self, Array(data), limit: 1 << 20)
        }
        let waiting = Mutex<[Task<WebAnswer, any Error>]>([])
        try await serve(
            MemoryJournal(), at: port,
            whileShuttingDown: {
                for task in waiting.withLock(\.self) {
                    await #expect(throws: Never.self) { _ = try await task.value }
                }
            }
        ) { _ in
            let id = try #require(try await post(WebRequest(token: "ann")).connection)
            // Whichever comes second wakes the first, and waits.
            let (answers, answered) = AsyncStream<Void>.makeStream()
            let both = (0..<2).map { _ in
                Task {
                    defer { answered.yield() }
                    return try await post(WebRequest(connection: id))
                }
            }
            for await _ in answers { break }
            waiting.withLock { $0 = both }
        }
    }

    @Test func `a stranger isn't let in, and what is no message is refused`() async throws {
        let port = Port()
        try await serve(MemoryJournal(), at: port) { _ in
            let stranger = network(to: port, as: "stranger")
            let error = await #expect(throws: WebTransport.Failure.self) {
                _ = try await stranger.connect()
            }
            #expect(error?.status == 401)
            let friend = try await network(to: port, as: "ann").connect()
            await #expect(throws: WebTransport.Failure.self) { try await friend.send([1, 2, 3]) }
            friend.close()
        }
    }
}
#endif
