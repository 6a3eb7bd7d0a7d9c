// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Logging
import Onward
import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `Stores in journals` {
    private let journals = KeptJournals()

    private func server(limit: Int = 4, clock: StepClock = StepClock()) -> TestServer {
        var server = TestServer()
        server.options.clock = clock
        server.hosting = .returningVisitor(
            limit: limit, idle: .seconds(60), lifetime: .seconds(1_000), in: journals
        ) { _, journal in try await table(in: journal) }
        return server
    }

    private func table(in journal: any Journal) async throws -> Persistence<Table> {
        var options = PersistenceOptions<Table>()
        options.recording.retries = 0
        options.recording.retryPause = .zero
        options.recording.report = { _ in }
        return try await Persistence(of: Table(), in: journal, options: options) { Table.rules }
    }

    @Test func `a visitor's store is what it was, whatever became of the program`() async throws {
        let headers = try await server().test { client in
            let headers = try await client.enter()
            #expect(try await client.post(json: play("queen"), headers: headers).status == .ok)
            return headers
        }
        try await server().test { client in
            let page = try await client.get(headers: headers)
            #expect(page.text.contains("<li>queen</li>"))
            #expect(page.headers[.setCookie] == nil)
        }
        #expect(journals.names.count == 1)
    }

    @Test func `a store that was put away is restored when its visitor comes back`() async throws {
        let clock = StepClock()
        try await server(clock: clock).test { client in
            let first = try await client.enter()
            _ = try await client.post(json: play("queen"), headers: first)
            await clock.advance(by: .seconds(60))
            _ = try await client.enter()
            #expect(try await client.get(headers: first).text.contains("<li>queen</li>"))
        }
    }

    @Test func `a request is dispatched once, also if it comes again after a restart`() async throws
    {
        let headers = try await server().test { client in
            let headers = try await client.enter()
            _ = try await client.post(json: play("queen", request: "request-7"), headers: headers)
            return headers
        }
        try await server().test { client in
            let again = try await client.post(
                json: play("queen", request: "request-7"), headers: headers)
            #expect(again.text == #"{"result":"dispatched"}"#)
            _ = try await client.post(json: play("king", request: "request-8"), headers: headers)
        }
        let log = try journals.log(of: #require(journals.names.first))
        #expect(log.map(\.origin.request?.id) == ["request-7", "request-8"])
        #expect(log.map(\.origin.request?.page) == ["/", "/"])
    }

    @Test func `what can't be stored is neither answered nor shown, and is once there is room`()
        async throws
    {
        let server = server()
        try await server.test { client in
            let headers = try await client.enter()
            _ = try await client.post(
                json: play("queen", request: "request-1"), headers: headers)
            journals.isFull.withValue { $0 = true }
            let post = try await client.post(
                json: play("king", request: "request-2"), headers: headers)
            #expect(post.status == .serviceUnavailable)
            #expect(post.text.contains("can't be stored at the moment"))
            let page = try await client.get(headers: headers)
            #expect(page.status == .serviceUnavailable)
            #expect(!page.text.contains("king"))
            journals.isFull.withValue { $0 = false }
            var status = HTTPResponse.Status.serviceUnavailable
            while status == .serviceUnavailable {
                status = try await client.post(
                    json: play("king", request: "request-2"), headers: headers
                ).status
            }
            #expect(status == .ok)
            let cards = try await client.get(headers: headers).text
            #expect(cards.contains("<ol><li>queen</li><li>king</li></ol>"))
        }
    }

    @Test func `an open page gets nothing that can't be stored`() async throws {
        let canStore = Guarded(true)
        let store = Table.store()
        let keeping = HostedStore<Table>.Keeping(
            flush: { () async throws(JournalError) in
                if !canStore.withValue({ $0 }) { throw JournalError(.full, "No room.") }
            }, requests: { () async throws(JournalError) in [] })
        let page = try Table.page()
        let feed = PageFeed(
            HostedStore(store: store, keeping: keeping) {}, page: page,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, screens: 8,
            stopwatch: Stopwatch(StepClock()))
        let reader = try await feed.subscribe(tab: nil, at: page.location(at: "/"))
        var pages = reader.pages.makeAsyncIterator()
        #expect(await pages.next()?.page.id.version == 0)
        canStore.withValue { $0 = false }
        store.dispatch(TableAction.tick)
        await feed.refresh()
        await #expect(throws: Rejection.notKept) {
            try await feed.current(at: page.location(at: "/"))
        }
        canStore.withValue { $0 = true }
        store.dispatch(TableAction.tick)
        await feed.refresh()
        #expect(await pages.next()?.page.id.version == 2)
        canStore.withValue { $0 = false }
        store.dispatch(TableAction.tick)
        await feed.refresh()
        await feed.close()
        #expect(await pages.next() == nil)
    }

    @Test func `a journal that can't be opened is its visitor's problem alone, and stays as it is`()
        async throws
    {
        let headers = try await server().test { client in
            let headers = try await client.enter()
            _ = try await client.post(json: play("queen"), headers: headers)
            return headers
        }
        let name = try #require(journals.names.first)
        journals.setDamaged(name, true)
        let server = server()
        try await server.test { client in
            let page = try await client.get(headers: headers)
            #expect(page.status == .serviceUnavailable)
            #expect(page.text.contains("This can&#39;t be opened at the moment."))
            #expect(page.headers[.setCookie] == nil)
            let other = try await client.enter()
            #expect(try await client.post(json: play("ace"), headers: other).status == .ok)
            journals.setDamaged(name, false)
            #expect(try await client.get(headers: headers).text.contains("<li>queen</li>"))
        }
        #expect(server.lines.all.contains { $0.contains("A page of it is gone.") })
    }

    @Test func `of a new visitor who left without doing anything nothing is kept`() async throws {
        let clock = StepClock()
        try await server(clock: clock).test { client in
            let looks = try await client.enter()
            _ = try await client.get(headers: looks)
            let plays = try await client.enter()
            _ = try await client.post(json: play("queen"), headers: plays)
            #expect(journals.names.count == 2)
            await clock.advance(by: .seconds(60))
            _ = try await client.enter()
            // It comes back when its store is shut down, and begins anew.
            #expect(try await client.get(headers: plays).text.contains("<li>queen</li>"))
        }
        #expect(journals.names.count == 1)
    }

    @Test func `journals that nobody uses for the lifetime of the cookie are removed once a day`()
        async throws
    {
        let clock = StepClock()
        let server = server(clock: clock)
        let visitors = try Visitors(
            #require(server.hosting), page: Table.page(), options: server.options,
            limits: ServerLimits())
        await visitors.sweep()
        clock.move(by: .seconds(86_399))
        await visitors.sweep()
        #expect(journals.removed == [.seconds(1_000)])
        clock.move(by: .seconds(1))
        await visitors.sweep()
        #expect(journals.removed == [.seconds(1_000), .seconds(1_000)])
        await visitors.close()
    }

    @Test func `a store for everybody is kept as well, and stays its owner's`() async throws {
        var server = TestServer()
        let first = try await table(in: journals.journal(named: "table"))
        server.hosting = .shared(first)
        try await server.test { client in
            _ = try await client.post(json: play("queen", request: "request-1"))
        }
        try await first.dispatch(TableAction.play(card: "king"))
        try await first.shutdown()
        let second = try await table(in: journals.journal(named: "table"))
        server.hosting = .shared(second)
        try await server.test { client in
            let again = try await client.post(json: play("queen", request: "request-1"))
            #expect(again.text == #"{"result":"dispatched"}"#)
            let cards = try await client.get().text
            #expect(cards.contains("<ol><li>queen</li><li>king</li></ol>"))
        }
        try await second.shutdown()
    }

    @Test func `a room has a journal of its name, whoever is in it, beside those of visitors`()
        async throws
    {
        for run in 1...2 {
            for room in ["room-blue", "room-red"] {
                let kept = try await table(in: journals.journal(named: room))
                var server = TestServer()
                server.hosting = .shared(kept)
                try await server.test { client in
                    for guest in 1...2 {
                        let request = "request-\(run)\(guest)"
                        _ = try await client.post(json: play(room, request: request))
                    }
                }
                #expect(kept.store.state.plays == Array(repeating: room, count: 2 * run))
                try await kept.shutdown()
            }
            try await server().test { client in
                _ = try await client.post(json: play("queen"), headers: client.enter())
            }
        }
        #expect(journals.names.count == 4)
        #expect(try journals.log(of: "room-red").count == 4)
    }
}
#endif
