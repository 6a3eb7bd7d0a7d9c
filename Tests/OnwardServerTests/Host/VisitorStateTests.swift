// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Mustache
import Onward
import Testing

@testable import OnwardServer

/// What a guest at the card table sees of it.
private struct Look: Hashable, Sendable {
    var seat = 0
    var showsStake = false
}

private enum LookAction: Action, Codable {
    case sit(seat: Int)
    case showStake(Bool)
}

@Suite(.timeLimit(.minutes(5))) struct `A visitor's state beside a shared store` {
    private static func server(
        _ store: Store<Table>, limit: Int = 100
    ) throws -> some ApplicationProtocol {
        var library = MustacheLibrary()
        try library.register(
            "<p>seat {{seat}}, turn {{turn}}{{#stake}}, stake {{.}}{{/stake}}</p>", named: "view")
        let visitors = VisitorState(Look(), limit: limit) {
            (look: inout Look, action: LookAction) in
            switch action {
            case .sit(let seat): look.seat = seat
            case .showStake(let shows): look.showsStake = shows
            }
        }
        let page = try Page<Table>(
            title: "Table", templates: library, accepts: [TableAction.self], beside: visitors,
            expects: { "turn \($0.turn)" }
        ) { table, look in
            [
                Fragment(
                    "view",
                    model: View(
                        seat: look.seat, turn: table.turn,
                        stake: look.showsStake ? table.stake : nil))
            ]
        }
        var options = TestServer().options
        options.frame = .zero
        return PageServer(page, hosting: .shared(store), options: options).application()
    }

    private struct View: Equatable, Sendable { let seat: Int, turn: Int, stake: Int? }

    @Test func `is drawn together with the store, and changes nothing in it`() async throws {
        let store = Table.store()
        try await Self.server(store).test(.router) { client in
            let (one, other) = try await (client.enter(), client.enter())
            let seat = try await client.post(
                form: "type=LookAction/sit&request=request-1&seat=7", headers: one)
            #expect(seat.status == .seeOther)
            #expect(store.log.version == 0)
            let bet = try await client.post(
                form: "type=TableAction/bet&request=request-2&amount=5&blind=false", headers: other)
            #expect(bet.status == .seeOther)
            _ = try await client.post(
                form: "type=LookAction/showStake&request=request-3&value=true", headers: one)
            #expect(try await client.get(headers: one).text.contains("seat 7, turn 1, stake 5"))
            #expect(try await client.get(headers: other).text.contains("seat 0, turn 1<"))
            #expect(try await client.get().text.contains("seat 0, turn 1<"))
        }
        #expect(store.log.version == 1)
    }

    @Test func `comes down to all pages of its visitor, and to no other's`() async throws {
        let store = Table.store()
        try await Self.server(store).test(.live) { client in
            let port = try #require(client.port)
            let (one, other) = try await (client.enter(), client.enter())
            @Sendable func events(_ headers: HTTPFields) -> String {
                "GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: \(headers[.cookie] ?? "")\r\n\r\n"
            }
            try await RawConnection.with(port: port, send: events(other)) { theirs in
                _ = try await theirs.event()
                try await RawConnection.with(port: port, send: events(one)) { ours in
                    #expect(try await ours.event().data.last?.contains("seat 0, turn 1") == true)
                    _ = try await client.post(
                        form: "type=LookAction/sit&request=request-1&seat=3", headers: one)
                    #expect(try await ours.event().data.last?.contains("seat 3, turn 1") == true)
                    store.dispatch(TableAction.play(card: "ace"))
                    #expect(try await ours.event().data.last?.contains("seat 3, turn 2") == true)
                }
                var last = ""
                while !last.contains("turn 2") {
                    last = try await theirs.event().data.last ?? ""
                    #expect(!last.contains("seat 3"))
                }
            }
        }
    }

    @Test func `a request is done once, and one that is stale not at all`() async throws {
        let store = Table.store()
        try await Self.server(store).test(.router) { client in
            let one = try await client.enter()
            for _ in 0..<2 {
                let answer = try await client.post(
                    form: "type=LookAction/sit&request=request-1&seat=7&expects=turn+1",
                    headers: one)
                #expect(answer.status == .seeOther)
            }
            store.dispatch(TableAction.play(card: "ace"))
            let late = try await client.post(
                form: "type=LookAction/sit&request=request-2&seat=8&expects=turn+1", headers: one)
            #expect(late.status == .conflict && late.text.contains("seat 7, turn 2"))
        }
    }

    @Test func `visitors of equal states share what is drawn`() throws {
        let page = try Page<Table>(
            title: "", templates: MustacheLibrary(templates: ["a": .init(string: "{{.}}")]),
            accepts: [],
            beside: VisitorState(Look()) { (_: inout Look, _: LookAction) in }
        ) { _, look in [Fragment("a", model: look)] }
        var cache = RendererCache(page)
        let reader = SelectorReader(Table())
        func id(_ look: Look) throws -> EventID {
            try cache.render(reader, at: page.location(at: "/", for: OwnState(look))).id
        }
        #expect(try id(Look()) == id(Look()))
        #expect(try id(Look()) != id(Look(seat: 1)))
        #expect(cache.count == 2)
    }

    @Test func `only so many visitors are remembered, and the store outlives them`() async throws {
        let store = Table.store()
        try await Self.server(store, limit: 2).test(.router) { client in
            var visitors: [HTTPFields] = []
            for _ in 0..<5 { visitors.append(try await client.enter()) }
            let last = try #require(visitors.last)
            let play = try await client.post(
                form: "type=TableAction/play&request=request-1&card=ace", headers: last)
            #expect(play.status == .seeOther)
        }
        #expect(store.state.plays == ["ace"])
    }
}
#endif
