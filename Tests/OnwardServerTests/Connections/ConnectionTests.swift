// SPDX-License-Identifier: MIT
#if Server

import HummingbirdTesting
import NIOCore
import Onward
import OnwardServer
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Connections under fire` {
    private static let post = """
        POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Content-Length: 900\r\n\r\n{"type":
        """

    @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: loc", post])
    func `what doesn't go on ends, and nothing was dispatched`(beginning: String) async throws {
        var server = TestServer()
        (server.options.limits.silence, server.options.limits.transfer) =
            (.milliseconds(100), .milliseconds(100))
        server.options.limits.rate = 1_000_000
        try await server.test(.live) { client in
            let end = try await RawConnection.rest(port: #require(client.port), send: beginning)
            #expect(!end.contains("200 OK"))
        }
        #expect(server.store.log.version == 0)
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func `an answer to HTTP 1.0 comes in no chunks, and ends with the connection`(
        header: String
    ) async throws {
        let server = TestServer()
        let store = server.store
        try await server.test(.live) { client in
            let port = try #require(client.port)
            let page = try await RawConnection.rest(
                port: port, send: "GET / HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n")
            #expect(page.hasPrefix("HTTP/1.0 200"))
            #expect(page.lowercased().contains("connection: close"))
            #expect(page.hasSuffix("</html>\n"))
            let events = "GET /events HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n"
            try await RawConnection.with(port: port, send: events) { reader in
                let head = try await reader.read(until: "\r\n\r\n")
                #expect(!head.lowercased().contains("chunked"))
                #expect(try await reader.event().data.count == 5)
                store.dispatch(TableAction.tick)
                #expect(try await reader.event().data.count == 1)
            }
        }
    }

    @Test func `a client that waits before it sends a body may send it`() async throws {
        let server = TestServer()
        try await server.test(.live) { client in
            let body = play("queen")
            let head = """
                POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Expect: 100-Continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n
                """
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: head) { reader in
                let answer = try await reader.read(until: "\r\n\r\n")
                #expect(answer == "HTTP/1.1 100 Continue\r\n\r\n")
            }
            // Who doesn't wait for it has both.
            try await RawConnection.with(port: port, send: head + body) { reader in
                let answer = try await reader.read(until: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 100"))
                #expect(try await reader.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
        }
        #expect(server.store.state.plays == ["queen"])
    }

    @Test(arguments: ["65537", "9223372036854775808", "18446744073709551615"])
    func `a body that is announced as too large is refused before it comes`(
        length: String
    ) async throws {
        let head = """
            POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
            Content-Length: \(length)\r\n\r\n
            """
        try await TestServer().test(.live) { client in
            try await RawConnection.with(port: #require(client.port), send: head) { reader in
                let answer = try await reader.read(until: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 413"))
            }
        }
    }

    @Test func `a request that asks for it is the last of its connection`() async throws {
        try await TestServer().test(.live) { client in
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Foo, Close\r\n\r\n"
            let page = try await RawConnection.rest(
                port: #require(client.port), send: request + request)
            #expect(page.matches(of: /HTTP\/1\.1 200/).count == 1)
        }
    }

    @Test(arguments: [
        ("GET /", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c", 200),
        ("GET /", "Connection: upgrade\r\nUpgrade: websocket", 200),
        ("CONNECT evil.example:443", "X: y", 404),
    ])
    func `a request for another protocol is answered, and the last of its connection`(
        line: String, fields: String, status: Int
    ) async throws {
        try await TestServer().test(.live) { client in
            let request = "\(line) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n"
            let answer = try await RawConnection.rest(
                port: #require(client.port), send: request + request)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(answer.matches(of: /HTTP\/1\.1/).count == 1)
        }
    }

    @Test func `a connection that rests after an answer ends`() async throws {
        var server = TestServer()
        server.options.limits.keepAlive = .milliseconds(100)
        try await server.test(.live) { client in
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await RawConnection.with(port: #require(client.port), send: request) { reader in
                let page = try await reader.readToEnd()
                #expect(page.contains("</html>"))
            }
        }
    }

    @Test func `a stream that isn't read ends, and makes room for another`() async throws {
        var server = TestServer()
        server.padding = String(repeating: "x", count: 4_000_000)
        server.options.limits.transfer = .milliseconds(100)
        server.options.limits.rate = 100_000_000
        server.options.limits.streams = 1
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: RawConnection.events()) { _ in
                var head: String
                repeat {
                    head = try await RawConnection.with(port: port, send: RawConnection.events()) {
                        try await $0.read(until: "\r\n\r\n")
                    }
                } while head.hasPrefix("HTTP/1.1 503")
                #expect(head.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func `silent connections make room for those that say something`() async throws {
        var server = TestServer()
        server.options.limits.connections = 4
        server.options.limits.connectionsPerAddress = 4
        server.options.limits.silence = .seconds(3_600)
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await RawConnection.rest(port: port, send: "")
                    }
                }
                // Connections beyond the limit end without an answer.
                for _ in 0..<4 { #expect(try await group.next() == "") }
                let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                let page = try await RawConnection.with(port: port, send: request) {
                    try await $0.readToEnd()
                }
                #expect(page.contains("</html>"))
                group.cancelAll()
            }
        }
    }

    @Test func `an address that has as many connections as it may gets no more`() async throws {
        var server = TestServer()
        server.options.limits.connectionsPerAddress = 1
        try await server.test(.live) { client in
            let port = try #require(client.port)
            // The client's own connection is there, and leaves for the stream's.
            _ = try await client.get()
            try await RawConnection.with(port: port, send: RawConnection.events()) { reader in
                _ = try await reader.event()
                let second = try await RawConnection.rest(
                    port: port, send: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(second == "")
            }
        }
    }

    @Test(arguments: [RawConnection.events(), post])
    func `what is under way doesn't keep the server from stopping`(request: String) async throws {
        var server = TestServer()
        server.padding = String(repeating: "x", count: 4_000_000)
        server.options.stopDeadline = .milliseconds(200)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        server.options.onListening = { port.yield($0) }
        let group = ServiceGroup(
            configuration: .init(
                services: [try server.application()], logger: server.options.logger))
        let running = Task { try await group.run() }
        do {
            let port = try #require(await ports.first { _ in true })
            try await RawConnection.with(port: port, send: request) { _ in
                // Once a later request is answered, the server has this one, too.
                let page = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                try await RawConnection.with(port: port, send: page) {
                    _ = try await $0.read(until: "</html>")
                }
                await group.triggerGracefulShutdown()
                try await running.value
            }
        }
    }

    @Test func `code of the app that doesn't come back doesn't keep the server from stopping`()
        async throws
    {
        var options = TestServer().options
        options.stopDeadline = .milliseconds(100)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        options.onListening = { port.yield($0) }
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let never = AsyncStream<Void> { _ in }
        let folder = AssetFolder("/files/") { _ in
            ask.yield()
            // Ignores its cancellation, too.
            await Task { for await _ in never {} }.value
            return nil
        }
        let server = try PageServer(
            Table.page(), hosting: .shared(Table.store()), folders: [folder], options: options)
        let group = ServiceGroup(
            configuration: .init(services: [RunningServer(server: server)], logger: options.logger))
        let running = Task { try await group.run() }
        do {
            let port = try #require(await ports.first { _ in true })
            let request = "GET /files/a HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await RawConnection.with(port: port, send: request) { _ in
                _ = await asked.first { _ in true }
                await group.triggerGracefulShutdown()
                try await running.value
            }
        }
    }
}

/// A server as a program runs it.
private struct RunningServer: Service {
    let server: PageServer<Table>

    func run() async throws { try await server.run() }
}
#endif
