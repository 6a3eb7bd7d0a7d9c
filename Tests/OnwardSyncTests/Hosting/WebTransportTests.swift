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
        endpoint other: Endpoint? = nil,
        _ body: @Sendable (Store<TodoList>) async throws -> Void,
        whenOver: @Sendable (SyncServer<TodoList>) async -> Void = { _ in }
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
            page, hosting: .shared(kept.store), endpoints: [other ?? endpoint], options: options)
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
            await whenOver(server)
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

    @Test func `a connection ends when the server is shut down`() async throws {
        let port = Port()
        let connections = Mutex<[SyncConnection]>([])
        try await serve(
            MemoryJournal(), at: port,
            whileShuttingDown: {
                for connection in connections.withLock(\.self) {
                    await #expect(throws: Never.self) { for try await _ in connection.messages {} }
                    await #expect(throws: WebTransport.Failure.self) {
                        try await connection.send([])
                    }
                }
            }
        ) { _ in
            for _ in 0..<2 {
                let connection = try await network(to: port, as: "ann").connect()
                connections.withLock { $0.append(connection) }
            }
        }
    }

    @Test func `a client that goes ends its session, hundreds of times while messages come`()
        async throws
    {
        let port = Port()
        try await serve(MemoryJournal(), at: port) { store in
            let bob = try await TodoClient(over: network(to: port, as: "bob"))
            let network = network(to: port, as: "ann")
            for number in 0..<300 {
                let connection = try await network.connect()
                let hello = UpMessage.hello(
                    session: 1, fingerprint: FeatureFingerprint(rawValue: 1), log: nil, version: 0,
                    runs: [])
                try await connection.send(MessageCodec(SyncLimits()).bytes(of: hello))
                bob.add("\(number)")
                if !number.isMultiple(of: 3) { for try await _ in connection.messages { break } }
                connection.close()
            }
            #expect(await bob.synced.outcome(of: bob.add("last")) == .confirmed)
            await bob.synced.stop()
        } whenOver: { server in
            while await server.status.sessions > 0 { await Task.yield() }
        }
    }

    @Test func `messages are in order over connections that are cut again and again`()
        async throws
    {
        let port = Port()
        try await serve(MemoryJournal(), at: port) { store in
            let ann = try await TodoClient(over: network(to: port, as: "ann"))
            let bob = try await TodoClient(over: network(to: port, as: "bob"))
            var titles: [String] = []
            for number in 0..<60 {
                titles.append("\(number)")
                ann.add("\(number)")
                if number % 10 == 5 { try await bob.cut() }
                if number % 10 == 7 { try await ann.cut() }
                if number % 10 == 9 {
                    try await bob.reconnect()
                    try await ann.reconnect()
                }
            }
            try await bob.shows(titles)
            #expect(store.state.titles == titles)
            await ann.synced.stop()
            await bob.synced.stop()
        }
    }

    @Test func `a connection that gives no sign of life is dead`() async throws {
        let streams = Mutex<[Endpoint.Stream]>([])
        let id = Array(ClientID().description.utf8)
        let silent = Endpoint("/sync/", accepting: WebRequest.contentType) { request in
            guard request.path == "stream" else {
                return Endpoint.Answer(contentType: WebRequest.contentType, bytes: [])
            }
            let stream = Endpoint.Stream(signOfLife: .init())
            stream.write(.init(WebFrames.head(of: id), id))
            streams.withLock { $0.append(stream) }
            return Endpoint.Answer(contentType: WebRequest.contentType, stream: stream)
        }
        let port = Port()
        try await serve(MemoryJournal(), at: port, endpoint: silent) { _ in
            let number = port.number.withLock(\.self)
            let url = try #require(URL(string: "http://127.0.0.1:\(number)/sync/"))
            var transport = WebTransport(to: url)
            transport.longestSilence = .seconds(1)
            let connection = try await transport.connect()
            await #expect(throws: WebTransport.Failure.self) {
                for try await _ in connection.messages {}
            }
        }
    }

    @Test func `what comes in pieces is read as it was written, but for signs of life`() throws {
        var frames = WebFrames(limit: 300)
        let messages: [[UInt8]] = [[1], [2, 3], Array(repeating: 4, count: 300)]
        let bytes = messages.flatMap { WebFrames.head(of: $0) + $0 + WebFrames.signOfLife }
        var read: [[UInt8]] = []
        for byte in bytes { read += try frames.read([byte]) }
        #expect(read == messages)
        #expect(try frames.read(bytes) == messages)
        #expect(throws: SyncMessageError.self) { try frames.read([0, 0, 1, 45]) }
    }

    @Test func `a stranger isn't let in, and what is no message is refused`() async throws {
        let port = Port()
        try await serve(MemoryJournal(), at: port) { _ in
            let stranger = network(to: port, as: "stranger")
            await #expect(throws: SyncProblem.notAdmitted) { _ = try await stranger.connect() }
            let friend = try await network(to: port, as: "ann").connect()
            await #expect(throws: WebTransport.Failure.self) { try await friend.send([1, 2, 3]) }
            friend.close()
        }
    }
}
#endif
