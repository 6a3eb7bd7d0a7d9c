// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import OnwardServer
import Testing

@Suite struct `One store per visitor` {
    @Test func `a visitor gets a random cookie that no script reads and no other site sends`()
        async throws
    {
        try await server().test { client in
            let first = try #require(try await client.get().headers[.setCookie])
            let second = try #require(try await client.get().headers[.setCookie])
            #expect(
                first.contains(/^onward-visitor=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax$/))
            #expect(first != second)
        }
    }

    @Test(arguments: ["/", "/events"])
    func `the cookie is kept from plain HTTP where the options say so`(uri: String) async throws {
        var server = server()
        server.options.cookiesAreSecure = true
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: "GET \(uri) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            ) { reader in
                let head = try await reader.read(until: "\r\n\r\n")
                #expect(head.contains(/; HttpOnly; SameSite=Lax; Secure\r\n/))
            }
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

    @Test(arguments: ["", "x", "00000000000000000000000000000000", "\u{1F600}"])
    func `a cookie that wasn't given out opens nothing`(cookie: String) async throws {
        try await server().test { client in
            let headers: HTTPFields = [.cookie: "onward-visitor=\(cookie)"]
            let answer = try await client.post(json: play(), headers: headers)
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("This visit has ended."))
            #expect(try await client.get(headers: headers).headers[.setCookie] != nil)
        }
    }

    @Test func `at the limit a new visitor is asked to come later and nobody loses a store`()
        async throws
    {
        try await server(limit: 1).test { client in
            let first = try await client.enter()
            _ = try await client.post(json: play("queen"), headers: first)
            let second = try await client.get()
            #expect(second.status == .serviceUnavailable)
            #expect(second.headers[.retryAfter] != nil)
            #expect(second.text.contains("too many visitors"))
            #expect(try await client.get(headers: first).text.contains("queen"))
        }
    }

    @Test func `a store without visitor is forgotten after the idle time`() async throws {
        let clock = StepClock()
        try await server(limit: 1, clock: clock).test { client in
            let first = try await client.enter()
            await clock.advance(by: .seconds(59))
            #expect(try await client.get(headers: first).headers[.setCookie] == nil)
            await clock.advance(by: .seconds(60))
            let second = try await client.enter()
            #expect(try await client.post(json: play(), headers: second).status == .ok)
            #expect(try await client.post(json: play(), headers: first).status == .conflict)
        }
    }

    @Test func `no secret is logged`() async throws {
        let server = server()
        let cookie = try await server.test { client in
            let headers = try await client.enter()
            _ = try await client.post(json: "{", headers: headers)
            return try #require(headers[.cookie])
        }
        #expect(server.lines.all.count == 1)
        #expect(!server.lines.all.joined().contains(cookie.dropFirst(15)))
    }

    private func server(limit: Int = 10, clock: StepClock = StepClock()) -> TestServer {
        var server = TestServer()
        server.options.clock = clock
        server.hosting = .perVisitor(limit: limit, idle: .seconds(60)) { Table.store() }
        return server
    }
}

extension TestClientProtocol {
    /// Visits the page for the first time.
    fileprivate func enter() async throws -> HTTPFields {
        let cookie = try #require(try await get().headers[.setCookie]?.split(separator: ";").first)
        return [.cookie: String(cookie)]
    }
}
#endif
