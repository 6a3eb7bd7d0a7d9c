// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Onward
import OnwardServer
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Streaming events` {
    @Test func `a stream brings the page, then what changed and nothing else`() async throws {
        let server = TestServer()
        let store = server.store
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { reader in
                let head = try await reader.read(until: "\r\n\r\n")
                #expect(head.contains("text/event-stream"))
                let page = try await reader.event()
                #expect(page.data.count == 5)
                #expect(page.data[0] == #"{"keys":["plays","hand","text","clock"]}"#)
                store.dispatch(TableAction.tick)
                let tick = try await reader.event()
                #expect(tick.data == [#"{"html":"<time>1</time>","key":"clock"}"#])
                #expect(tick.id.hasSuffix("-1"))
                store.dispatch(TableAction.note(true))
                let note = try await reader.event()
                #expect(
                    note.data == [
                        #"{"keys":["plays","hand","text","clock","note"]}"#,
                        #"{"html":"<aside>A note</aside>","key":"note"}"#,
                    ])
            }
        }
    }

    @Test func `a reader that comes back is sent what it lacks`() async throws {
        let server = TestServer()
        let store = server.store
        try await server.test(.live) { client in
            let port = try #require(client.port)
            let id = try await RawConnection.with(port: port, send: RawConnection.events()) {
                try await $0.event().id
            }
            for _ in 1...3 { store.dispatch(TableAction.tick) }
            store.dispatch(TableAction.say("hello"))
            try await RawConnection.with(port: port, send: RawConnection.events(after: id)) {
                let missed = try await $0.event()
                #expect(missed.id.hasSuffix("-4"))
                #expect(missed.data.count == 2)
                #expect(missed.data[0].contains("hello") && missed.data[1].contains("<time>3<"))
            }
        }
    }

    @Test func `a restart is noticed: another epoch, and the whole page`() async throws {
        let server = TestServer()
        let first = try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { try await $0.event().id }
        }
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events(after: first)
            ) { reader in
                let page = try await reader.event()
                #expect(page.id.hasSuffix("-0") && page.id != first)
                #expect(page.data.count == 5)
            }
        }
    }

    @Test(arguments: [
        "x", "-", "--", "a-99999999999999999999", "\u{1F600}-1", "ffff-18446744073709551615",
    ])
    func `an event id that isn't ours brings the whole page`(id: String) async throws {
        try await TestServer().test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events(after: id)
            ) { reader in
                let page = try await reader.event()
                #expect(page.data.count == 5)
            }
        }
    }

    @Test func `a reader that doesn't read delays no dispatch and skips to the newest page`()
        async throws
    {
        var server = TestServer()
        server.padding = String(repeating: "x", count: 150_000)
        let store = server.store
        let commits = 100
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: RawConnection.events()) { slow in
                _ = try await slow.event()
                let sent = try await RawConnection.with(port: port, send: RawConnection.events()) {
                    quick in
                    _ = try await quick.event()
                    for _ in 1...commits {
                        store.dispatch(TableAction.tick)
                        // The quick reader has every commit while the slow one takes none.
                        _ = try await quick.event()
                    }
                    return quick.count
                }
                try await slow.skip(until: "<time>\(commits)<")
                #expect(sent > commits * 150_000)
                #expect(slow.count < sent / 2)
            }
        }
    }

    @Test func `a silent stream gives signs of life`() async throws {
        var server = TestServer()
        let clock = StepClock()
        server.options.clock = clock
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { reader in
                _ = try await reader.event()
                await clock.advance(by: .seconds(15))
                _ = try await reader.read(until: "event: beat\ndata:\n\n")
            }
        }
    }

    @Test func `beyond the limit a stream is refused with a sentence`() async throws {
        var server = TestServer()
        server.options.limits.streams = 1
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { reader in
                _ = try await reader.event()
                let second = try await client.get("/events")
                #expect(second.status == .serviceUnavailable)
                #expect(second.text.contains("too many open pages"))
            }
        }
    }

    @Test func `a stream whose reader went away makes room for another`() async throws {
        var server = TestServer()
        server.options.limits.streams = 1
        try await server.test(.live) { client in
            let port = try #require(client.port)
            for _ in 1...3 {
                var head: String
                // The server notices in its own time; until then it says that it is full.
                repeat {
                    head = try await RawConnection.with(port: port, send: RawConnection.events()) {
                        try await $0.read(until: "\r\n\r\n")
                    }
                } while head.hasPrefix("HTTP/1.1 503")
                #expect(head.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func `when the server stops, open streams end and the run returns`() async throws {
        let server = TestServer()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var options = server.options
        options.onListening = { port.yield($0) }
        let application = try PageServer(
            Table.page(), hosting: .shared(server.store), options: options
        ).application()
        let group = ServiceGroup(
            configuration: .init(services: [application], logger: options.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let port = try #require(await ports.first { _ in true })
            try await RawConnection.with(port: port, send: RawConnection.events()) { reader in
                _ = try await reader.event()
                await group.triggerGracefulShutdown()
                #expect(try await reader.readToEnd().hasSuffix("0\r\n\r\n"))
            }
            try await tasks.waitForAll()
        }
        #expect(server.store.dispatch(TableAction.tick) == .accepted(1))
    }
}

/// One server-sent event.
struct Event: Sendable {
    let id: String
    let data: [String]
}

extension RawReader {
    /// The next event with data; beats and the chunks' lengths are left out.
    mutating func event() async throws -> Event {
        while true {
            let lines = try await read(until: "\n\n").split(whereSeparator: \.isNewline)
            if lines.isEmpty { throw EndOfStream() }
            guard let id = lines.first(where: { $0.hasPrefix("id: ") }) else { continue }
            let data = lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
            return Event(id: String(id.dropFirst(4)), data: data)
        }
    }

    private struct EndOfStream: Error {}
}
#endif
