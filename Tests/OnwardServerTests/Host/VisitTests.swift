// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import OnwardServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A page and its stream` {
    private func server() -> TestServer {
        var server = TestServer()
        server.hosting = .perVisitor(limit: 10, idle: .seconds(60)) { Table.store() }
        return server
    }

    /// What a stream says first: an event with data, or that the page has to load itself.
    private func stream(
        _ query: String = "", cookie: String?, port: Int?
    ) async throws -> String {
        let cookie = cookie.map { "Cookie: \($0)\r\n" } ?? ""
        let request = "GET /events\(query) HTTP/1.1\r\nHost: localhost\r\n\(cookie)\r\n"
        return try await RawConnection.with(port: #require(port), send: request) { reader in
            let head = try await reader.read(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200") && !head.contains("Set-Cookie"))
            while true {
                let event = try await reader.read(until: "\n\n")
                if event.contains("data:") { return event }
            }
        }
    }

    @Test func `a visitor's first page and its stream are one visit, and one store`() async throws {
        try await server().test(.live) { client in
            let page = try await client.get()
            let visit = try #require(page.visit)
            let event = try await stream(
                "?visit=\(visit)", cookie: page.cookie(), port: client.port)
            #expect(event.contains(#""keys""#))
            let headers: HTTPFields = [.cookie: try page.cookie()]
            #expect(try await client.get(headers: headers).visit == visit)
        }
    }

    @Test(arguments: [
        (nil, ""), ("onward-Table=x", ""),
        ("onward-Table=\(String(repeating: "0", count: 32))-05b1d7bcb3640586", "cookie"),
        ("onward-Table=\(String(repeating: "0", count: 32))-0123456789abcdef", ""),
    ])
    func `a stream without a known cookie has the page load itself, and ends`(
        cookie: String?, data: String
    ) async throws {
        try await server().test(.live) { client in
            let event = try await stream(cookie: cookie, port: client.port)
            #expect(event.contains("event: load\ndata:\(data)\n\n"))
        }
    }

    @Test func `of several tabs that open at once, those that lost the cookie load themselves`()
        async throws
    {
        try await server().test(.live) { client in
            let (lost, won) = try await (client.get(), client.get())
            let cookie = try won.cookie()
            let visits = try (#require(lost.visit), #require(won.visit))
            #expect(visits.0 != visits.1)
            let first = try await stream("?visit=\(visits.0)", cookie: cookie, port: client.port)
            #expect(first.contains("event: load"))
            let second = try await stream("?visit=\(visits.1)", cookie: cookie, port: client.port)
            #expect(second.contains(#""keys""#))
            // Loaded again, it is the same visit as the others.
            #expect(try await client.get(headers: [.cookie: cookie]).visit == visits.1)
        }
    }

    @Test func `a post of a page that was drawn for another visit does nothing`() async throws {
        let visit = try #require(HTTPField.Name("Onward-Visit"))
        try await server().test { client in
            let (lost, won) = try await (client.get(), client.get())
            let cookie = try won.cookie()
            let answer = try await client.post(
                json: play("queen"), headers: [.cookie: cookie, visit: try #require(lost.visit)])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains(#""load":true"#))
            #expect(try await !client.get(headers: [.cookie: cookie]).text.contains("queen"))
            let own = try await client.post(
                json: play("queen"), headers: [.cookie: cookie, visit: try #require(won.visit)])
            #expect(own.status == .ok)
        }
    }

    @Test func `with one store for everybody no visitor has to be known`() async throws {
        try await TestServer().test(.live) { client in
            let page = try await client.get()
            #expect(page.visit == nil && page.headers[.setCookie] == nil)
            let event = try await stream("?visit=x", cookie: nil, port: client.port)
            #expect(event.contains(#""keys""#))
        }
    }

    @Test func `a visitor has as many streams as it may, and others have theirs`() async throws {
        var server = server()
        server.options.limits.streamsPerVisitor = 1
        try await server.test(.live) { client in
            let (one, other) = try await (client.enter(), client.enter())
            let cookie = one[.cookie] ?? ""
            let request = "GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n"
            try await RawConnection.with(port: #require(client.port), send: request) { reader in
                _ = try await reader.event()
                let second = try await client.get("/events", headers: one)
                #expect(second.status == .tooManyRequests)
                #expect(second.text.contains("too many open pages"))
                let theirs = try await stream(cookie: other[.cookie], port: client.port)
                #expect(theirs.contains(#""keys""#))
            }
        }
    }

    @Test func `an address has as many streams as it may`() async throws {
        var server = server()
        server.options.limits.streamsPerAddress = 1
        try await server.test(.live) { client in
            let (one, other) = try await (client.enter(), client.enter())
            let cookie = one[.cookie] ?? ""
            let request = "GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n"
            try await RawConnection.with(port: #require(client.port), send: request) { reader in
                _ = try await reader.event()
                #expect(try await client.get("/events", headers: other).status == .tooManyRequests)
            }
        }
    }
}
#endif
