// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import OnwardServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A store that is hosted in a way of its own` {
    private func server(_ clerk: Clerk, log: SharedLog? = nil) -> TestServer {
        var server = TestServer()
        server.hosting = .shared(clerk.hosted(log: log))
        return server
    }

    @Test func `what is posted is applied by its host, and answered behind that`() async throws {
        let clerk = Clerk()
        try await server(clerk).test { client in
            let answer = try await client.post(json: play("queen"))
            #expect(answer.status == .ok && answer.text == #"{"result":"dispatched"}"#)
            #expect(clerk.applied == ["request-1"])
            #expect(try await client.get().text.contains("<li>queen</li>"))
        }
    }

    @Test func `equal posts at once are applied once, and others don't wait for them`() async throws
    {
        let (first, second) = (Gate(), Gate())
        let clerk = Clerk { posted in
            if posted.id == "request-1" {
                first.open()
                await second.wait()
            }
        }
        try await server(clerk).test { client in
            async let one = client.post(json: play("queen"))
            await first.wait()
            async let two = client.post(json: play("queen"))
            #expect(try await client.post(json: play("ace", request: "request-2")).status == .ok)
            second.open()
            let answers = try await [one, two]
            #expect(answers.map(\.status) == [.ok, .ok])
            #expect(clerk.applied == ["request-2", "request-1"])
        }
    }

    @Test func `a token is compared with the state that the action is applied to`() async throws {
        let store = Table.store()
        let clerk = Clerk(store) { posted in
            // Meanwhile somebody else has played.
            if posted.id == "request-1" { store.dispatch(TableAction.play(card: "king")) }
        }
        try await server(clerk).test { client in
            let stale = try await client.post(json: play("queen", expects: "round 1 turn 1"))
            #expect(stale.status == .conflict && stale.text.contains("The page has moved on"))
            let plain = try await client.post(json: play("ace", request: "request-2"))
            #expect(plain.status == .ok)
            #expect(store.state.plays == ["king", "ace"])
        }
    }

    @Test func `what nobody can take now is answered with 503, and done when it comes again`()
        async throws
    {
        let clerk = Clerk()
        clerk.goAway(true)
        try await server(clerk).test { client in
            let order: HTTPFields = [try #require(HTTPField.Name("Onward-Order")): "a-page-00/1"]
            let away = try await client.post(json: play("queen"), headers: order)
            #expect(away.status == .serviceUnavailable && away.text.contains("The clerk is away."))
            #expect(away.headers[.retryAfter] != nil)
            let list = try await client.post(json: "[\(play("queen"))]", headers: order)
            #expect(list.status == .serviceUnavailable && list.headers[.retryAfter] != nil)
            clerk.goAway(false)
            #expect(try await client.post(json: play("queen"), headers: order).status == .ok)
            #expect(try await client.post(json: play("queen"), headers: order).status == .ok)
            #expect(clerk.applied == ["request-1"])
        }
    }

    @Test func `a request says behind which version of the page it was made`() async throws {
        let versions = Guarded<[CommitVersion?]>([])
        let clerk = Clerk { posted in versions.withValue { $0.append(posted.since) } }
        let log = SharedLog(name: "table") { $0 + 40 }
        try await server(clerk, log: log).test { client in
            let request = try #require(try await client.get().fields("request").first)
            #expect(request.hasSuffix("-v40"))
            #expect(try await client.post(json: play(request: request)).status == .ok)
            #expect(try await client.post(json: play(request: "request-2")).status == .ok)
            #expect(versions.withValue { $0 } == [40, nil])
        }
    }

    @Test func `a page goes on at another server, which sends what changed since`() async throws {
        let stores = [Table.store(), Table.store()]
        // The second one counts in another way.
        stores[1].dispatch(TableAction.tick)
        stores[1].dispatch(TableAction.say(""))
        stores[0].dispatch(TableAction.tick)
        let logs = [
            SharedLog(name: "table") { $0 + 6 }, SharedLog(name: "table") { $0 + 5 },
        ]
        let (a, b) = (
            server(Clerk(stores[0]), log: logs[0]), server(Clerk(stores[1]), log: logs[1])
        )
        try await a.test(.live) { a in
            let id = try await RawConnection.with(
                port: #require(a.port), send: RawConnection.events()
            ) { try await $0.event().id }
            #expect(id.hasSuffix("-7"))
            try await b.test(.live) { b in
                let port = try #require(b.port)
                // It has drawn this version as well.
                #expect(try await b.get().text.contains(id))
                try await RawConnection.with(port: port, send: RawConnection.events(after: id)) {
                    stores[1].dispatch(TableAction.tick)
                    let next = try await $0.event()
                    #expect(next.id.hasSuffix("-8"))
                    #expect(next.data == [#"{"html":"<time>2</time>","key":"clock"}"#])
                }
                // What was drawn elsewhere alone may have shown what this server never drew.
                let other = id.dropLast() + "6"
                try await RawConnection.with(
                    port: port, send: RawConnection.events(after: String(other))
                ) {
                    let whole = try await $0.event()
                    #expect(whole.id.hasSuffix("-8") && whole.data.count == 5)
                }
            }
        }
    }

    @Test func `a reader never goes back to a server that knows less`() async throws {
        let store = Table.store()
        let server = server(Clerk(store), log: SharedLog(name: "table") { $0 })
        try await server.test(.live) { client in
            let port = try #require(client.port)
            let id = try await RawConnection.with(port: port, send: RawConnection.events()) {
                try await $0.event().id
            }
            let later = id.dropLast() + "2"
            try await RawConnection.with(
                port: port, send: RawConnection.events(after: String(later))
            ) { reader in
                _ = try await reader.read(until: "event: beat\ndata:\n\n")
                store.dispatch(TableAction.tick)
                _ = try await reader.read(until: "event: beat\ndata:\n\n")
                store.dispatch(TableAction.tick)
                _ = try await reader.read(until: "event: beat\ndata:\n\n")
                store.dispatch(TableAction.tick)
                #expect(try await reader.event().id.hasSuffix("-3"))
            }
        }
    }

    @Test func `pages of another program are sent as a whole`() async throws {
        func id(_ name: String) async throws -> String {
            try await server(Clerk(), log: SharedLog(name: name) { $0 }).test(.live) { client in
                try await RawConnection.with(
                    port: #require(client.port), send: RawConnection.events()
                ) { try await $0.event().id }
            }
        }
        let ids = try await [id("one"), id("one"), id("two")]
        #expect(ids[0] == ids[1] && ids[1] != ids[2])
    }

    @Test func `readers see what there is to know about the store, as long as it is so`()
        async throws
    {
        let clerk = Clerk()
        var server = server(clerk)
        let clock = StepClock()
        server.options.clock = clock
        try await server.test(.live) { client in
            clerk.say("Nothing can be done now.")
            #expect(try await client.get().text.contains("Nothing can be done now."))
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { reader in
                _ = try await reader.read(until: "event: notice\ndata:Nothing can be done now.\n\n")
                _ = try await reader.event()
                clerk.say(nil)
                await clock.advance(by: .seconds(15))
                _ = try await reader.read(until: "event: notice\ndata:\n\n")
            }
            #expect(try await !client.get().text.contains("Nothing can be done now."))
        }
    }

    @Test func `each visitor may have one, whichever server has given out the cookie`() async throws
    {
        let clerks = Guarded<[String: Clerk]>([:])
        var server = TestServer()
        server.hosting = .perVisitor(limit: 10, idle: .seconds(60), lifetime: .seconds(600)) {
            opening in
            switch opening {
            case .preview: return Clerk().hosted()
            case .new(let visitor), .returning(let visitor):
                let clerk = clerks.withValue { clerks in
                    let clerk = clerks[visitor.fileName] ?? Clerk()
                    clerks[visitor.fileName] = clerk
                    return clerk
                }
                return clerk.hosted()
            }
        }
        let cookie = try await server.test { client in
            let cookie = try await client.enter()
            #expect(try await client.post(json: play("queen"), headers: cookie).status == .ok)
            return cookie
        }
        try await server.test { client in
            let page = try await client.get(headers: cookie)
            #expect(page.text.contains("queen"))
            #expect(clerks.withValue { $0.count } == 1)
        }
    }
}

/// Lets those who wait go on once it is open.
private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
#endif
