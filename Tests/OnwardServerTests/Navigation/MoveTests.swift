// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Onward
import OnwardNavigation
import OnwardServer
import Testing

@Suite struct `Moving tabs` {
    private let server = HouseServer()
    private let tab = "tab-one-1"

    private func move(_ move: String, _ route: String, tab: String = "tab-one-1") -> [String:
        String]
    {
        ["tab": tab, "move": move, "route": route]
    }

    @Test func `a tab that opens is known from then on, with a way back`() async throws {
        try await server.test { client in
            let answer = try await client.send(move("open", "/kitchen/top"), from: "/kitchen/top")
            #expect(answer.status == .ok)
            #expect(
                answer.text == """
                    {"result":"redirected","tab":{"routes":["/","/kitchen","/kitchen/top"],\
                    "title":"At: Shelf top","version":1}}
                    """)
        }
        #expect(server.rooms(of: tab) == [.hall, .kitchen, .shelf("top")])
    }

    @Test func `a tab that opens again stays where it is`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/kitchen"))
            let answer = try await client.send(move("open", "/"))
            #expect(answer.text.contains(#""routes":["/","/kitchen"]"#))
        }
        #expect(server.store.log.version == 1)
    }

    @Test func `a link leads on, and one to the current screen changes nothing`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/"))
            let there = try await client.send(move("push", "/kitchen"))
            #expect(there.text.contains(#""result":"dispatched""#))
            #expect(there.text.contains(#""routes":["/","/kitchen"]"#))
            let still = try await client.send(
                ["tab": tab, "route": "/kitchen/", "request": "once-more"])
            #expect(still.text.contains(#""result":"redirected""#))
        }
        #expect(server.rooms(of: tab) == [.hall, .kitchen])
        #expect(server.store.log.version == 2)
    }

    @Test func `a search that is typed goes on where the tab is`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/kitchen"))
            let answer = try await client.send(move("replace", "/kitchen/top"))
            #expect(answer.text.contains(#""result":"dispatched""#))
        }
        #expect(server.rooms(of: tab) == [.hall, .shelf("top")])
    }

    @Test func `back goes down the stack, forward goes up again`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/"))
            for shelf in ["a", "b", "c"] {
                _ = try await client.send(move("push", "/kitchen/\(shelf)"))
            }
            _ = try await client.send(move("back", "/kitchen/a"))
            #expect(server.rooms(of: tab) == [.hall, .shelf("a")])
            _ = try await client.send(move("forward", "/kitchen/b"))
            #expect(server.rooms(of: tab) == [.hall, .shelf("a"), .shelf("b")])
            _ = try await client.send(move("back", "/"))
            #expect(server.rooms(of: tab) == [.hall])
        }
    }

    @Test func `back to what isn't in the stack shows it all the same`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/kitchen"))
            _ = try await client.send(move("back", "/kitchen/a"))
        }
        #expect(server.rooms(of: tab) == [.hall, .kitchen, .shelf("a")])
    }

    @Test func `a tab that the state lost is known again with its next move`() async throws {
        try await server.test { client in
            let answer = try await client.send(move("push", "/kitchen/a"), from: "/kitchen")
            #expect(answer.text.contains(#"["/","/kitchen","/kitchen/a"]"#))
        }
        #expect(server.rooms(of: tab) == [.hall, .kitchen, .shelf("a")])
    }

    @Test func `each tab has a route of its own`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/"))
            _ = try await client.send(move("open", "/", tab: "tab-two-2"))
            _ = try await client.send(move("push", "/kitchen", tab: "tab-two-2"))
            _ = try await client.send(["tab": tab, "type": "Navigation.Room/popToRoot"])
        }
        #expect(server.rooms(of: tab) == [.hall])
        #expect(server.rooms(of: "tab-two-2") == [.hall, .kitchen])
    }

    @Test func `an action of the state's own moves the tab that sent it`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/kitchen"))
            _ = try await client.send(move("open", "/kitchen", tab: "tab-two-2"))
            let answer = try await client.send(
                [
                    "tab": tab, "type": "Navigation.Room/pop",
                    "address": "tabs/open/#tab-two-2/routes",
                ])
            #expect(answer.text.contains(#""result":"dispatched","tab":{"routes":["/"]"#))
        }
        #expect(server.rooms(of: tab) == [.hall])
        #expect(server.rooms(of: "tab-two-2") == [.hall, .kitchen])
    }

    @Test func `an action and the move behind it are one post`() async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/"))
            let post = [
                "tab": tab, "type": "HouseAction/knock", "route": "/kitchen",
                "request": "knock-and-go",
            ]
            for _ in 1...2 {
                let answer = try await client.send(post)
                #expect(answer.text.contains(#"["/","/kitchen"]"#))
            }
            _ = try await client.send(
                [
                    "tab": tab, "type": "HouseAction/knock", "route": "/", "expects": "knocks 0",
                ])
        }
        #expect(server.store.state.knocks == 1)
        #expect(server.rooms(of: tab) == [.hall, .kitchen])
    }

    @Test func `an action was dispatched, also where the move behind it leads nowhere else`()
        async throws
    {
        try await server.test { client in
            _ = try await client.send(move("open", "/kitchen"))
            let answer = try await client.send(
                ["tab": tab, "type": "HouseAction/knock", "route": "/kitchen"])
            #expect(answer.text.contains(#""result":"dispatched""#))
        }
        #expect(server.store.state.knocks == 1)
        #expect(server.rooms(of: tab) == [.hall, .kitchen])
    }

    @Test func `an action may know the tab that sent it`() async throws {
        try await server.test { client in
            _ = try await client.send(["tab": tab, "type": "HouseAction/call"])
        }
        #expect(server.store.state.caller == tab)
    }

    @Test func `without script links are documents, and buttons lead back to their screen`()
        async throws
    {
        try await server.test { client in
            let locations = [
                ("type=HouseAction/knock", "/kitchen/a%20b", "/kitchen/a%20b"),
                ("type=HouseAction/knock&route=/", "/kitchen", "/"),
                ("route=/kitchen", "/", "/kitchen"),
                ("type=Navigation.Room/pop", "/kitchen/a", "/kitchen"),
                ("type=Navigation.Room/popToRoot", "/kitchen/a", "/"),
                ("type=Navigation.Room/pop", "/", "/"),
            ]
            for (index, (form, uri, expected)) in locations.enumerated() {
                let answer = try await client.submit(form, request: "form-no-\(index)", from: uri)
                #expect(answer.status == .seeOther)
                #expect(answer.headers[.location] == expected)
            }
        }
        #expect(server.store.state.tabs == RouteTabs(limit: 4))
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example/", "/\\evil.example", "/kitchen%0D%0ASet-Cookie:x",
        "",
        "/%2F%2Fevil.example", "javascript:alert(1)",
    ])
    func `no route leads to another site`(route: String) async throws {
        try await server.test { client in
            let form = route.utf8.map { byte in
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
            let answer = try await client.submit("route=\(form)")
            #expect(answer.status == .seeOther)
            let location = try #require(answer.headers[.location])
            #expect(location == "/not-found")
        }
    }

    @Test(arguments: [
        ["tab": "short", "route": "/"], ["tab": "tab one 1", "route": "/"],
        ["tab": "../../etc/passwd", "route": "/"],
        ["tab": String(repeating: "a", count: 65), "route": "/"],
        ["tab": "tab-one-1", "route": "/", "move": "teleport"], ["tab": "tab-one-1"],
        ["tab": "tab-one-1", "type": "Tabs.Room/close", "value": "tab-two-2"],
        ["tab": "tab-one-1", "type": "Navigation.Room/fly"],
        ["tab": "tab-one-1", "type": "Navigation.Room/push"],
    ])
    func `what a stranger makes up is refused`(fields: [String: String]) async throws {
        try await server.test { client in
            _ = try await client.send(move("open", "/kitchen", tab: "tab-two-2"))
            #expect(try await client.send(fields).status == .badRequest)
        }
        #expect(server.store.log.version == 1)
    }

    @Test func `a route of any size is some screen`() async throws {
        try await server.test { client in
            let huge = "/" + String(repeating: "a/", count: 20_000)
            let answer = try await client.send(move("push", huge))
            #expect(answer.text.contains(#"["/","/not-found"]"#))
        }
        #expect(server.rooms(of: tab) == [.hall, .nowhere])
    }

    @Test func `tabs are no more than the limit`() async throws {
        try await server.test { client in
            for number in 1...100 {
                _ = try await client.send(move("open", "/", tab: "tab-no-\(number)"))
            }
        }
        #expect(server.store.state.tabs.open.map(\.id) == (97...100).map { "tab-no-\($0)" })
    }

    @Test func `another site moves no tab`() async throws {
        try await server.test { client in
            let answer = try await client.send(
                move("open", "/"), headers: [.origin: "https://evil.example"])
            #expect(answer.status == .forbidden)
        }
        #expect(server.store.log.version == 0)
    }

    @Test func `a refused form gets the screen it came from, and the reason`() async throws {
        try await server.test { client in
            let answer = try await client.submit(
                "type=HouseAction/knock&expects=knocks+9", from: "/kitchen")
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("<h1>Kitchen</h1>"))
            #expect(answer.text.contains("has moved on"))
        }
    }
}
#endif
