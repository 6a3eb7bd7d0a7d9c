// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import OnwardServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `One store per visitor` {
    @Test func `a visitor gets a random cookie that no script reads and no other site sends`()
        async throws
    {
        try await server().test { client in
            let first = try #require(try await client.get().headers[.setCookie])
            let second = try #require(try await client.get().headers[.setCookie])
            #expect(
                first.contains(
                    /^onward-Table=[0-9a-f]{32}-[0-9a-f]{16}; Path=\/; HttpOnly; SameSite=Lax$/))
            #expect(first != second)
        }
    }

    @Test func `the cookie is kept from plain HTTP where the options say so`() async throws {
        var server = server()
        server.options.cookiesAreSecure = true
        try await server.test { client in
            let cookie = try #require(try await client.get().headers[.setCookie])
            #expect(cookie.hasSuffix("; HttpOnly; SameSite=Lax; Secure"))
        }
    }

    @Test func `each visitor sees and changes a store of its own`() async throws {
        try await server().test { client in
            let (first, second) = try await (client.enter(), client.enter())
            #expect(try await client.post(json: play("queen"), headers: first).status == .ok)
            let page = try await client.get(headers: first)
            #expect(page.text.contains("queen") && page.headers[.setCookie] == nil)
            #expect(try await !client.get(headers: second).text.contains("queen"))
        }
    }

    @Test(arguments: [
        "", "x", "00000000000000000000000000000000",
        "00000000000000000000000000000000-0000000000000000", "\u{1F600}",
    ])
    func `a cookie that wasn't given out opens nothing`(cookie: String) async throws {
        let stores = Stores()
        try await server(stores: stores).test { client in
            let headers: HTTPFields = [.cookie: "onward-Table=\(cookie)"]
            let answer = try await client.post(json: play(), headers: headers)
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("This visit has ended."))
            #expect(answer.text.contains(#""load":true"#))
            #expect(stores.count == 0)
            #expect(try await client.get(headers: headers).headers[.setCookie] != nil)
        }
    }

    @Test func `a false cookie before the true one doesn't hide it`() async throws {
        try await server().test { client in
            let own = try #require(try await client.enter()[.cookie])
            _ = try await client.post(json: play("queen"), headers: [.cookie: own])
            for others in [
                "onward-Table=x; \(own)", "onward-Table=x; a=b;\(own)", "\(own); onward-Table=x",
                "onward-Table=00000000000000000000000000000000-0000000000000000; \(own)",
            ] {
                let page = try await client.get(headers: [.cookie: others])
                #expect(page.text.contains("queen") && page.headers[.setCookie] == nil)
            }
        }
    }

    @Test func `the cookie is the app's, so that apps on one host don't take it from each other`()
        async throws
    {
        var server = server()
        server.options.cookieName = "cards; on the right"
        try await server.test { client in
            let cookie = try #require(try await client.get().headers[.setCookie])
            #expect(cookie.hasPrefix("cardsontheright="))
        }
        try await self.server().test { client in
            let own = try await client.enter()[.cookie] ?? ""
            _ = try await client.post(json: play("queen"), headers: [.cookie: own])
            let other = "onward-House=\(own.split(separator: "=")[1])"
            #expect(
                try await client.get(headers: [.cookie: "\(other)"]).headers[.setCookie] != nil)
            #expect(
                try await client.get(headers: [.cookie: "\(other); \(own)"]).text.contains("queen"))
        }
    }

    @Test func `no secret is logged, and none stands in a page`() async throws {
        let server = server()
        let cookie = try await server.test { client in
            let headers = try await client.enter()
            _ = try await client.post(json: "{", headers: headers)
            let cookie = try #require(headers[.cookie])
            let secret = cookie.dropFirst("onward-Table=".count).prefix(32)
            #expect(try await !client.get(headers: headers).text.contains(secret))
            return secret
        }
        #expect(server.lines.all.count == 1)
        #expect(!server.lines.all.joined().contains(cookie))
    }

    // When a store begins and ends.

    @Test func `a store begins when the cookie comes back`() async throws {
        let stores = Stores()
        try await server(stores: stores).test { client in
            for _ in 0..<20 { _ = try await client.get() }
            // One store, which all of them are shown.
            #expect(stores.count == 1)
            let visitor = try await client.enter()
            for _ in 0..<2 {
                #expect(try await client.get(headers: visitor).headers[.setCookie] == nil)
            }
            #expect(stores.count == 2)
            _ = try await client.post(json: play(), headers: client.enter())
            #expect(stores.count == 3)
        }
    }

    @Test func `what is no document gives out no cookie`() async throws {
        let destination = try #require(HTTPField.Name("Sec-Fetch-Dest"))
        try await server().test { client in
            let head = try await client.execute(uri: "/", method: .head)
            #expect(head.status == .ok && head.headers[.setCookie] == nil)
            let picture = try await client.get(headers: [destination: "image"])
            #expect(picture.headers[.setCookie] == nil)
            let document = try await client.get(headers: [destination: "document"])
            #expect(document.headers[.setCookie] != nil)
        }
    }

    @Test func `at the limit a new visitor has to come later, and one that acted keeps its store`()
        async throws
    {
        try await server(limit: 1).test { client in
            let (first, second) = try await (client.enter(), client.enter())
            _ = try await client.post(json: play("queen"), headers: first)
            for answer in [
                try await client.get(), try await client.get(headers: second),
                try await client.post(json: play(), headers: second),
            ] {
                #expect(answer.status == .serviceUnavailable)
                #expect(answer.headers[.retryAfter] != nil)
                #expect(answer.text.contains("too many visitors"))
            }
            #expect(try await client.get(headers: first).text.contains("queen"))
        }
    }

    @Test func `a visitor who only looked leaves for another, and finds the same on coming back`()
        async throws
    {
        try await server(limit: 2).test { client in
            let visitors = try await [client.enter(), client.enter(), client.enter()]
            for visitor in visitors {
                #expect(try await client.get(headers: visitor).headers[.setCookie] == nil)
            }
            for visitor in visitors.prefix(2) {
                #expect(try await client.post(json: play(), headers: visitor).status == .ok)
            }
            #expect(
                try await client.post(json: play(), headers: visitors[2]).status
                    == .serviceUnavailable)
        }
    }

    @Test func `a thousand strangers lock nobody out`() async throws {
        try await server(limit: 10).test { client in
            for _ in 0..<1_000 {
                _ = try await client.get(headers: client.enter())
            }
            let visitor = try await client.enter()
            #expect(try await client.post(json: play("queen"), headers: visitor).status == .ok)
            #expect(try await client.get(headers: visitor).text.contains("queen"))
        }
    }

    @Test func `visitors who acted once and weren't seen again leave after a minute`() async throws
    {
        let clock = StepClock()
        try await server(limit: 1, idle: .seconds(3_600), clock: clock).test { client in
            let (first, second) = try await (client.enter(), client.enter())
            _ = try await client.post(json: play(), headers: first)
            await clock.advance(by: .seconds(61))
            #expect(try await client.post(json: play("queen"), headers: second).status == .ok)
            #expect(try await client.post(json: play(), headers: first).status == .conflict)
            // A visitor that was seen again after a minute is no stranger any more.
            await clock.advance(by: .seconds(61))
            _ = try await client.get(headers: second)
            await clock.advance(by: .seconds(61))
            #expect(try await client.get().status == .serviceUnavailable)
        }
    }

    @Test func `a store without visitor is forgotten after the idle time`() async throws {
        let clock = StepClock()
        try await server(limit: 1, clock: clock).test { client in
            let first = try await client.enter()
            _ = try await client.post(json: play(), headers: first)
            await clock.advance(by: .seconds(59))
            #expect(try await client.get(headers: first).headers[.setCookie] == nil)
            await clock.advance(by: .seconds(60))
            let second = try await client.enter()
            #expect(try await client.post(json: play(), headers: second).status == .ok)
            #expect(try await client.post(json: play(), headers: first).status == .conflict)
        }
    }

    @Test func `opening a store that takes for ever blocks nobody else`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        defer { open.finish() }
        let stores = Stores()
        var server = server()
        server.hosting = .perVisitor(limit: 10, idle: .seconds(60)) {
            // The second one, which is the first visitor's, waits with its thread.
            if stores.countOne() == 2 { block(until: gate) }
            return Table.store()
        }
        try await server.test(.live) { client in
            let port = try #require(client.port)
            let (first, second) = try await (client.enter(), client.enter())
            let request =
                "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: \(first[.cookie] ?? "")\r\n\r\n"
            try await RawConnection.with(port: port, send: request) { _ in
                while stores.count < 2 { await Task.yield() }
                let page = try await client.get(headers: second)
                #expect(page.headers[.setCookie] == nil)
                let answer = try await client.post(json: play(), headers: second)
                #expect(answer.status == .ok)
            }
        }
    }

    @Test func `while no store can be opened somebody new is shown what the last one showed`()
        async throws
    {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        defer { open.finish() }
        let (stores, clock) = (Stores(), StepClock())
        var server = server(clock: clock)
        server.hosting = .perVisitor(limit: 10, idle: .seconds(60)) {
            if stores.countOne() > 1 { block(until: gate) }
            return Table.store()
        }
        try await server.test(.live) { client in
            _ = try await client.enter()
            await clock.advance(by: .seconds(61))
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await RawConnection.with(port: #require(client.port), send: request) { _ in
                while stores.count < 2 { await Task.yield() }
                let page = try await client.get()
                #expect(page.status == .ok)
            }
        }
    }

    private func server(
        limit: Int = 10, idle: Duration = .seconds(60), clock: StepClock = StepClock(),
        stores: Stores = Stores()
    ) -> TestServer {
        var server = TestServer()
        server.options.clock = clock
        server.hosting = .perVisitor(limit: limit, idle: idle) {
            stores.countOne()
            return Table.store()
        }
        return server
    }
}

/// Counts the stores that were made.
final class Stores: Sendable {
    private let made = Mutex(0)

    var count: Int { made.withLock { $0 } }

    @discardableResult
    func countOne() -> Int {
        made.withLock { made in
            made += 1
            return made
        }
    }
}
#endif
