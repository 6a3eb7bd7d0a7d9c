// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import Synchronization
import Testing

@testable import OnwardServer

/// What a program remembers of its visitors.
private final class Memory: Sendable {
    private let tables = Mutex<[String: Store<Table>]>([:])
    private let questions = Mutex<[Bool]>([])
    private let answered = Mutex<[String]>([])
    private let kept = Mutex<ProcessedRequests?>(nil)

    /// Remembers the requests that the store opened last has answered.
    func saveRequests() {
        let ids = kept.withLock { $0?.ids } ?? []
        answered.withLock { $0 = ids }
    }

    /// Whether each store was opened for a new visitor.
    var opened: [Bool] { questions.withLock { $0 } }

    var hosting: Hosting<Table> {
        .returningVisitor(limit: 2, idle: .seconds(60), lifetime: .seconds(1_000)) {
            [self] visitor, isNew, requests in
            requests.restore(answered.withLock { $0 })
            kept.withLock { $0 = requests }
            questions.withLock { $0.append(isNew) }
            return tables.withLock { tables in
                let isKnown = tables[visitor.fileName] != nil
                // A store that was shut down is read again by another one.
                if isNew || isKnown {
                    tables[visitor.fileName] = Table.store(tables[visitor.fileName]?.state)
                }
                return tables[visitor.fileName]
            }
        }
    }
}

@Suite struct `Visitors who come back` {
    private func server(_ memory: Memory, clock: StepClock = StepClock()) -> TestServer {
        var server = TestServer()
        server.options.clock = clock
        server.hosting = memory.hosting
        return server
    }

    @Test func `the cookie outlives the browser`() async throws {
        try await server(Memory()).test { client in
            let cookie = try #require(try await client.get().headers[.setCookie])
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Max-Age=1000"))
        }
    }

    @Test func `after a restart a visitor is known by what the program remembers`() async throws {
        let memory = Memory()
        let headers = try await server(memory).test { client in
            let headers = try await client.enter()
            #expect(try await client.post(json: play("queen"), headers: headers).status == .ok)
            return headers
        }
        try await server(memory).test { client in
            let page = try await client.get(headers: headers)
            #expect(page.text.contains("queen"))
            #expect(page.headers[.setCookie] == nil)
        }
        // For those who have no store yet, for the visitor, and after the restart.
        #expect(memory.opened == [true, true, false])
    }

    @Test func `after the idle time, too`() async throws {
        let (memory, clock) = (Memory(), StepClock())
        try await server(memory, clock: clock).test { client in
            let first = try await client.enter()
            _ = try await client.post(json: play("queen"), headers: first)
            await clock.advance(by: .seconds(60))
            _ = try await client.enter()
            #expect(try await client.get(headers: first).text.contains("queen"))
        }
        #expect(memory.opened == [true, true, true, false])
    }

    @Test(arguments: [
        "00000000000000000000000000000000", "../../../../../../../../etc/passwd", "x", "",
        "00000000000000000000000000000000-0000000000000000",
        "00000000000000000000000000000000-05b1d7bcb3640586",
        "0000000000000000000000000000000G",
    ])
    func `a cookie that was never given out opens nothing and is replaced`(
        cookie: String
    ) async throws {
        let memory = Memory()
        try await server(memory).test { client in
            let headers: HTTPFields = [.cookie: "onward-Table=\(cookie)"]
            #expect(try await client.post(json: play(), headers: headers).status == .conflict)
            let new = try #require(try await client.get(headers: headers).headers[.setCookie])
            #expect(!new.contains("onward-Table=0000000000000000"))
        }
    }

    @Test func `a made-up cookie takes nobody's place`() async throws {
        let memory = Memory()
        try await server(memory).test { client in
            // They are there, and have done nothing.
            let visitors = try await [client.enter(), client.enter()]
            for visitor in visitors { _ = try await client.get(headers: visitor) }
            let opened = memory.opened.count
            for _ in 0..<3 {
                let headers: HTTPFields = [.cookie: "onward-Table=\(VisitorID().cookie)"]
                #expect(try await client.post(json: play(), headers: headers).status == .conflict)
            }
            #expect(memory.opened.count == opened + 3)
            for visitor in visitors { _ = try await client.get(headers: visitor) }
            #expect(memory.opened.count == opened + 3)
        }
    }

    @Test func `made-up cookies from one address leave room for those of others`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        var server = TestServer()
        server.options.clock = StepClock()
        server.options.clientAddressHeader = "X-Forwarded-For"
        server.hosting = .returningVisitor(
            limit: 10, idle: .seconds(60), lifetime: .seconds(1_000)
        ) { _, isNew, _ in
            if !isNew { block(until: gate) }
            return isNew ? Table.store() : nil
        }
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        try await server.test { client in
            @Sendable func post(from address: String) async throws -> HTTPResponse.Status {
                let cookie = "onward-Table=\(VisitorID().cookie)"
                return try await client.post(
                    json: play(), headers: [.cookie: cookie, forwarded: address]
                ).status
            }
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<2_100 { group.addTask { try await post(from: "192.0.2.1") } }
                // The others wait.
                for _ in 0..<52 { #expect(try await group.next() == .serviceUnavailable) }
                async let other = post(from: "192.0.2.2")
                open.finish()
                #expect(try await other == .conflict)
                for try await status in group { #expect(status == .conflict) }
            }
        }
    }

    @Test func `a visitor who comes back finds no room when there is none`() async throws {
        let memory = Memory()
        let headers = try await server(memory).test { try await $0.enter() }
        try await server(memory).test { client in
            for _ in 0..<2 {
                let other = try await client.enter()
                #expect(try await client.post(json: play(), headers: other).status == .ok)
            }
            #expect(try await client.get(headers: headers).status == .serviceUnavailable)
        }
    }

    @Test func `a request is dispatched once, also across a restart`() async throws {
        let memory = Memory()
        let headers = try await server(memory).test { client in
            let headers = try await client.enter()
            let post = play("queen", request: "request-1")
            #expect(try await client.post(json: post, headers: headers).status == .ok)
            // Refused, so it may be tried again.
            let refused = play("king", request: "request-2", expects: "round 7 turn 7")
            #expect(try await client.post(json: refused, headers: headers).status == .conflict)
            memory.saveRequests()
            return headers
        }
        try await server(memory).test { client in
            let post = play("queen", request: "request-1")
            #expect(try await client.post(json: post, headers: headers).status == .ok)
            let other = play("king", request: "request-2")
            #expect(try await client.post(json: other, headers: headers).status == .ok)
            let page = try await client.get(headers: headers).text
            #expect(page.contains("<ol><li>queen</li><li>king</li></ol>"))
        }
    }

    @Test func `a visitor isn't printed`() {
        let visitor = VisitorID()
        var dumped = ""
        dump(visitor, to: &dumped)
        for text in ["\(visitor)", String(reflecting: visitor), dumped] {
            #expect(!text.contains(visitor.fileName))
        }
        #expect(visitor.fileName.contains(/^[0-9a-f]{32}$/))
    }

    @Test func `neither a file's name nor a page gives away what the cookie keeps secret`() throws {
        let visitor = VisitorID()
        let secret = visitor.cookie.prefix(32)
        #expect(VisitorID(cookie: visitor.cookie) == visitor)
        #expect(VisitorID(cookie: visitor.cookie)?.fileName == visitor.fileName)
        #expect(visitor.fileName != secret && !secret.contains(visitor.tag))
        #expect(VisitorID(cookie: "\(visitor.fileName)-\(visitor.tag)") == nil)
        #expect(VisitorID(cookie: "\(secret)-\(VisitorID().tag)") == nil)
    }
}
#endif
