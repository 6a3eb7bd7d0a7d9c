// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Mustache
import Onward
import OnwardServer
import Testing

@Suite struct `Taking actions in` {
    @Test func `a script's action is dispatched and answered with JSON`() async throws {
        let server = TestServer()
        try await server.test { client in
            let answer = try await client.post(json: play("queen"))
            #expect(answer.status == .ok)
            #expect(answer.text == "{\"result\":\"dispatched\"}")
        }
        #expect(server.store.state.plays == ["queen"])
    }

    @Test func `a form's action is dispatched and answered with a redirect to the page`()
        async throws
    {
        let server = TestServer()
        try await server.test { client in
            let page = try await client.get()
            let request = try #require(page.fields("request").first)
            #expect(page.fields("expects") == ["round 1 turn 1"])
            let answer = try await client.post(
                form: """
                    request=\(request)&expects=round+1+turn+1&type=TableAction%2Fplay&card=Z%C3%BCri
                    """)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/")
        }
        #expect(server.store.state.plays == ["Züri"])
    }

    @Test func `each drawn form has a request id of its own`() async throws {
        try await TestServer().test { client in
            let first = try await client.get().fields("request")
            let second = try await client.get().fields("request")
            #expect(Set(first + second).count == 2)
            #expect((first + second).allSatisfy { $0.count == 32 })
        }
    }

    @Test func `numbers and truth values of a form are converted to what the action wants`()
        async throws
    {
        let server = TestServer()
        try await server.test { client in
            let answer = try await client.post(
                form: "type=TableAction/bet&request=request-1&amount=-7&blind=on")
            #expect(answer.status == .seeOther)
        }
        #expect(server.store.state.stake == -7)
    }

    @Test func `a repeated request is answered again and dispatched once`() async throws {
        let server = TestServer()
        try await server.test { client in
            for _ in 1...3 {
                let answer = try await client.post(json: play(expects: "round 1 turn 1"))
                #expect(answer.status == .ok)
            }
        }
        #expect(server.store.log.version == 1)
    }

    @Test func `a request whose answer is lost in a rush is dispatched once`() async throws {
        let server = TestServer()
        try await server.test { client in
            let name = try #require(HTTPField.Name("Onward-Order"))
            func post(from page: String) async throws {
                let answer = try await client.post(
                    json: play("ace", request: "request-of-\(page)"), headers: [name: "\(page)/1"])
                #expect(answer.status == .ok)
            }
            try await post(from: "page-lost")
            for number in 1...1_500 { try await post(from: "page-\(number)-of-another") }
            try await post(from: "page-lost")
        }
        #expect(server.store.state.plays.count == 1_501)
    }

    @Test func `a repeated request is dispatched once also when all come at the same time`()
        async throws
    {
        let server = TestServer()
        let counts = try await server.test { client in
            try await statuses(of: 50) { _ in try await client.post(json: play()) }
        }
        #expect(counts == [HTTPResponse.Status.ok: 50])
        #expect(server.store.log.version == 1)
    }

    @Test func `of many plays of one turn at the same time one is dispatched`() async throws {
        let server = TestServer()
        let counts = try await server.test { client in
            try await statuses(of: 50) { number in
                try await client.post(
                    json: play(request: "request-\(number)", expects: "round 1 turn 1"))
            }
        }
        #expect(counts == [HTTPResponse.Status.ok: 1, .conflict: 49])
        #expect(server.store.log.version == 1)
    }

    @Test func `a tick doesn't make a click stale`() async throws {
        let server = TestServer()
        server.store.dispatch(TableAction.tick)
        try await server.test { client in
            let answer = try await client.post(json: play(expects: "round 1 turn 1"))
            #expect(answer.status == .ok)
        }
    }

    @Test func `a stale action is answered with 409 and the current page`() async throws {
        let server = TestServer()
        server.store.dispatch(TableAction.play(card: "king"))
        try await server.test { client in
            let stale = try await client.post(json: play(expects: "round 1 turn 1"))
            #expect(stale.status == .conflict)
            #expect(stale.text.contains("\"message\":\"The page has moved on"))
            #expect(stale.text.contains("<li>king</li>"))
            let form = try await client.post(
                form: "type=TableAction/play&card=ace&request=request-2&expects=round+1+turn+1")
            #expect(form.status == .conflict)
            #expect(form.text.contains("data-status>The page has moved on"))
            #expect(form.text.contains("<li>king</li>"))
        }
        #expect(server.store.log.version == 1)
    }

    @Test func `a form demands the token that it names, and no other`() async throws {
        let store = Table.store()
        var library = MustacheLibrary()
        try library.register(
            "<form>{{> onward/form/turn}}</form><form>{{> onward/form/stake}}</form>",
            named: "forms")
        let page = try Page<Table>(
            title: "Table", templates: library, accepts: [TableAction.self]
        ) { _ in [Fragment("forms", model: [0])] }
        .expecting("turn") { "\($0.turn)" }.expecting("stake") { "\($0.stake)" }
        try await PageServer(page, hosting: .shared(store)).application().test(.router) { client in
            let text = try await client.get().text
            #expect(text.contains(#"name="expects/turn" value="1">"#))
            #expect(text.contains(#"name="expects/stake" value="0">"#))
            func play(_ number: Int, _ expects: String) async throws -> TestResponse {
                try await client.post(
                    form: "type=TableAction/play&card=ace&request=request-\(number)&\(expects)")
            }
            store.dispatch(TableAction.bet(amount: 5, blind: false))
            #expect(try await play(1, "expects/turn=1").status == .seeOther)
            #expect(try await play(2, "expects/turn=1").status == .conflict)
            #expect(try await play(3, "expects/stake=0").status == .conflict)
            #expect(try await play(4, "expects/turn=2&expects/stake=5").status == .seeOther)
            #expect(try await play(5, "expects/other=2").status == .conflict)
        }
        #expect(store.state.plays == ["ace", "ace"])
        #expect(throws: PageError.self) { try page.expecting("a b") { _ in "" } }
    }

    @Test func `a request id can't be used for two actions`() async throws {
        let server = TestServer()
        try await server.test { client in
            _ = try await client.post(json: play("ace"))
            #expect(try await client.post(json: play("king")).status == .conflict)
        }
        #expect(server.store.state.plays == ["ace"])
    }

    @Test func `posts that come together are handled in their order, each with its answer`()
        async throws
    {
        let server = TestServer()
        try await server.test { client in
            let posts = [
                play("ace", request: "request-1"),
                play("king", request: "request-2", expects: "old"),
                "{}", play("queen", request: "request-3"),
            ]
            for _ in 1...2 {
                let answer = try await client.post(json: "[\(posts.joined(separator: ","))]")
                #expect(answer.status == .ok)
                #expect(
                    answer.text == """
                        [{"result":"dispatched"},{"message":"\(Self.outdated)"},\
                        {"message":"The field \\"type\\" is missing."},{"result":"dispatched"}]
                        """)
            }
            #expect(try await client.post(json: "[]").status == .badRequest)
            let many = repeatElement(play(), count: 65).joined(separator: ",")
            #expect(try await client.post(json: "[\(many)]").status == .badRequest)
        }
        #expect(server.store.state.plays == ["ace", "queen"])
    }

    @Test func `what comes after something that was done later changes nothing`() async throws {
        let server = TestServer()
        try await server.test { client in
            func post(_ json: String, number: String, is status: HTTPResponse.Status) async throws {
                let name = try #require(HTTPField.Name("Onward-Order"))
                let answer = try await client.post(json: json, headers: [name: number])
                #expect(answer.status == status, "\(number)")
            }
            let first = play("ace", request: "request-1")
            try await post(first, number: "sender-1/1", is: .ok)
            let two = [play("king", request: "request-3"), play("queen", request: "request-4")]
            try await post("[\(two.joined(separator: ","))]", number: "sender-1/3", is: .ok)
            let late = play("jack", request: "request-2")
            for number in 1...4 {
                try await post(late, number: "sender-1/\(number)", is: .conflict)
            }
            // Its answer was lost, so it is asked for again; another page counts for itself.
            try await post(first, number: "sender-1/1", is: .ok)
            try await post(play("ten", request: "request-5"), number: "sender-2/1", is: .ok)
            for number in [
                "", "sender-1", "sender-1/", "sender-1/-1", "x/1", "sender-1/1/1",
                "sender-1/99999999999",
            ] {
                try await post(late, number: number, is: .badRequest)
            }
        }
        #expect(server.store.state.plays == ["ace", "king", "queen", "ten"])
    }

    private static let outdated =
        "The page has moved on since this was drawn. Nothing was done; here it is now."

    private func statuses(
        of count: Int, _ post: @escaping @Sendable (Int) async throws -> TestResponse
    ) async throws -> [HTTPResponse.Status: Int] {
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 0..<count { group.addTask { try await post(number).status } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }
}
#endif
