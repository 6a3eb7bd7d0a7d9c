// SPDX-License-Identifier: MIT

import Hummingbird
import Logging
import Mustache
import NIOCore
import Onward
import OnwardServer
import OnwardSync
import Processes
import Synchronization

/// The process of a synced store over HTTP, which takes the orders of ``ServerProcess``.
enum SyncedServer {
    static func run(clients: Int) async throws {
        try Machine.allowOpenFiles(2 * clients + 256)
        let store = Store(Table(rows: 1)) { table }
        let server = try await SyncServer(of: store, accepting: .actions(TableAction.self))
        let page = try Page<Table>(title: "Table", templates: MustacheLibrary(), accepts: []) { _ in
            []
        }
        var options = ServerOptions(port: 0)
        options.limits.connections = 2 * clients + 128
        options.limits.connectionsPerAddress = 2 * clients + 128
        options.limits.streams = clients + 128
        options.limits.streamsPerAddress = clients + 128
        options.logger.logLevel = .error
        options.onListening = { Orders.answer("listening \($0)") }
        Orders.obey { _ in
            let number = Int(store.log.version) + 1
            store.dispatch(TableAction.set(id: 0, number: number))
            return number
        }
        try await PageServer(
            page, hosting: .shared(store), endpoints: [.sync(server)], options: options
        ).run()
    }
}

/// The process that sends each reader the same event, by the web framework below, and does nothing else.
enum BareServer {
    /// About what an action takes on its way to a client.
    private static let event = "data: " + String(repeating: "x", count: 250) + "\n\n"

    static func run() async throws {
        try Machine.allowOpenFiles(10_000)
        let readers = Mutex<[AsyncStream<ByteBuffer>.Continuation]>([])
        let router = Router()
        router.get("/events") { _, _ in
            let (stream, reader) = AsyncStream<ByteBuffer>.makeStream(
                bufferingPolicy: .bufferingOldest(64))
            readers.withLock { $0.append(reader) }
            reader.yield(ByteBuffer(string: event))
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: .init(asyncSequence: stream))
        }
        Orders.obey { index in
            let event = ByteBuffer(string: event)
            for reader in readers.withLock({ $0 }) { reader.yield(event) }
            return index
        }
        try await router.serve()
    }
}
