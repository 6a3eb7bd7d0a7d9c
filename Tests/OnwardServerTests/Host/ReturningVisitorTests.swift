// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import OnwardServer
import Synchronization
import Testing

/// What a program remembers of its visitors.
private final class Memory: Sendable {
    private let tables = Mutex<[String: Store<Table>]>([:])
    private let questions = Mutex<[Bool]>([])

    /// Whether each store was opened for a new visitor.
    var opened: [Bool] { questions.withLock { $0 } }

    var hosting: Hosting<Table> {
        .returningVisitor(limit: 2, idle: .seconds(60), lifetime: .seconds(1_000)) {
            [self] visitor, isNew in
            questions.withLock { $0.append(isNew) }
            return tables.withLock { tables in
                if isNew { tables[visitor.fileName] = Table.store() }
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
        // The first run has shut its stores down; what can be read of them is what they were.
        try await server(memory).test { client in
            let page = try await client.get(headers: headers)
            #expect(page.text.contains("queen"))
            #expect(page.headers[.setCookie] == nil)
        }
        #expect(memory.opened == [true, false])
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
        #expect(memory.opened == [true, true, false])
    }

    @Test(arguments: [
        "00000000000000000000000000000000", "../../../../../../../../etc/passwd", "x", "",
        "0000000000000000000000000000000G",
    ])
    func `a cookie that was never given out opens nothing and is replaced`(
        cookie: String
    ) async throws {
        let memory = Memory()
        try await server(memory).test { client in
            let headers: HTTPFields = [.cookie: "onward-visitor=\(cookie)"]
            #expect(try await client.post(json: play(), headers: headers).status == .conflict)
            let new = try #require(try await client.get(headers: headers).headers[.setCookie])
            #expect(!new.contains("onward-visitor=0000000000000000"))
        }
    }

    @Test func `a visitor who comes back finds no room when there is none`() async throws {
        let memory = Memory()
        let headers = try await server(memory).test { try await $0.enter() }
        try await server(memory).test { client in
            for _ in 0..<2 { _ = try await client.enter() }
            #expect(try await client.get(headers: headers).status == .serviceUnavailable)
        }
    }

    @Test func `who visits isn't printed`() {
        let visitor = VisitorID()
        var dumped = ""
        dump(visitor, to: &dumped)
        for text in ["\(visitor)", String(reflecting: visitor), dumped] {
            #expect(!text.contains(visitor.fileName))
        }
        #expect(visitor.fileName.contains(/^[0-9a-f]{32}$/))
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
