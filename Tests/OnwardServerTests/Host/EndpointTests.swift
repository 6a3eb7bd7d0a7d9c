// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import NIOCore
import OnwardServer
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(2))) struct EndpointTests {
    /// A server with an endpoint that answers with what it was asked.
    private func server() -> TestServer {
        var server = TestServer()
        server.endpoints = [
            Endpoint("/api/", bodyLimit: 8) { request in
                Endpoint.Answer(
                    status: request.method == .post ? 201 : 200, contentType: "application/json",
                    bytes: Array(request.path.utf8) + request.body, fileName: "a \"b.json")
            }
        ]
        return server
    }

    @Test func `a question is answered with what stands behind its path`() async throws {
        try await server().test { client in
            let answer = try await client.get("/api/v1/x?y=%2F")
            #expect(String(buffer: answer.body) == "v1/x?y=%2F")
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.contentDisposition] == "attachment; filename=\"ab.json\"")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test func `a command comes as JSON, from this site, and not too large`() async throws {
        try await server().test { client in
            let json: HTTPFields = [.contentType: "application/json"]
            var foreign = json
            foreign[.origin] = "http://example.org"
            let posts: [(body: String, headers: HTTPFields, status: Int)] = [
                ("{}", json, 201), ("{}", [:], 415), ("{}", [.contentType: "text/plain"], 415),
                ("{}", foreign, 403), ("123456789", json, 413),
            ]
            for post in posts {
                let answer = try await client.execute(
                    uri: "/api/x", method: .post, headers: post.headers,
                    body: ByteBuffer(string: post.body))
                #expect(answer.status.code == post.status)
            }
        }
    }

    /// A server with an endpoint whose answers go on, and these.
    private func streaming(
        limit: Int = 256
    ) -> (TestServer, streams: AsyncStream<Endpoint.Stream>, ended: AsyncStream<Void>) {
        var server = TestServer()
        let (streams, opened) = AsyncStream.makeStream(of: Endpoint.Stream.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        server.endpoints = [
            Endpoint("/api/") { _ in
                let stream = Endpoint.Stream(
                    limit: limit, signOfLife: .init(Array("alive\n".utf8))
                ) { end.yield() }
                stream.write(.init(Array("hello ".utf8), Array("you\n".utf8)))
                opened.yield(stream)
                return Endpoint.Answer(contentType: "text/event-stream", stream: stream)
            }
        ]
        return (server, streams, ended)
    }

    private static let request = "GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test func `what is written to an answer comes at once, until it ends`() async throws {
        let (server, streams, _) = streaming()
        try await server.test(.live) { client in
            try await RawConnection.with(port: #require(client.port), send: Self.request) {
                let head = try await $0.read(until: "\r\n\r\n")
                #expect(head.contains("text/event-stream") && head.contains("no-store"))
                _ = try await $0.read(until: "hello you\n")
                let stream = try #require(await streams.first { _ in true })
                for number in 1...3 {
                    #expect(stream.write(.init(Array("\(number)\n".utf8))))
                    _ = try await $0.read(until: "\(number)\n\r\n")
                }
                stream.write(.init(Array("bye\n".utf8)))
                stream.end()
                #expect(!stream.write(.init(Array("late\n".utf8))))
                #expect(stream.isOver)
                #expect(try await $0.read(until: "0\r\n\r\n").contains("bye\n\r\n0"))
            }
        }
    }

    @Test func `an answer that goes on gives signs of life`() async throws {
        var server = streaming().0
        let clock = StepClock()
        server.options.clock = clock
        try await server.test(.live) { client in
            try await RawConnection.with(port: #require(client.port), send: Self.request) {
                _ = try await $0.read(until: "hello you\n")
                await clock.advance(by: .seconds(15))
                _ = try await $0.read(until: "alive\n")
            }
        }
    }

    @Test func `a stream ends when its reader goes, and makes room for another`() async throws {
        let (streaming, streams, ended) = streaming()
        var server = streaming
        server.options.limits.streams = 1
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: Self.request) {
                _ = try await $0.read(until: "hello you\n")
                _ = await streams.first { _ in true }
                let second = try await client.get("/api/x")
                #expect(second.status == .serviceUnavailable)
                // The one that is too many has ended.
                _ = await ended.first { _ in true }
            }
            _ = await ended.first { _ in true }
            // It makes room in its own time.
            var head: String
            repeat {
                head = try await RawConnection.with(port: port, send: Self.request) {
                    try await $0.read(until: "\r\n\r\n")
                }
            } while head.hasPrefix("HTTP/1.1 503")
            #expect(head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `a reader that doesn't read is cut off`() async throws {
        let (server, streams, ended) = streaming(limit: 4)
        try await server.test(.live) { client in
            try await RawConnection.with(port: #require(client.port), send: Self.request) {
                _ = try await $0.read(until: "hello you\n")
                let stream = try #require(await streams.first { _ in true })
                let piece = Endpoint.Stream.Piece([UInt8](repeating: 7, count: 1 << 20))
                while stream.write(piece) { await Task.yield() }
                _ = await ended.first { _ in true }
                #expect(!(try await $0.readToEnd().hasSuffix("0\r\n\r\n")))
            }
        }
    }

    @Test func `a stream that isn't sent ends`() async throws {
        let (server, streams, ended) = streaming()
        try await server.test { client in
            _ = try await client.execute(uri: "/api/x", method: .head)
            _ = await ended.first { _ in true }
            let stream = try #require(await streams.first { _ in true })
            #expect(stream.isOver)
        }
    }

    @Test func `when the server stops, an answer that goes on ends`() async throws {
        let (server, _, ended) = streaming()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var options = server.options
        options.onListening = { port.yield($0) }
        let application = try PageServer(
            Table.page(), hosting: .shared(server.store), endpoints: server.endpoints,
            options: options
        ).application()
        let group = ServiceGroup(
            configuration: .init(services: [application], logger: options.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let port = try #require(await ports.first { _ in true })
            try await RawConnection.with(port: port, send: Self.request) { reader in
                _ = try await reader.read(until: "hello you\n")
                await group.triggerGracefulShutdown()
                #expect(try await reader.readToEnd().hasSuffix("0\r\n\r\n"))
            }
            try await tasks.waitForAll()
        }
        _ = await ended.first { _ in true }
    }
}
#endif
