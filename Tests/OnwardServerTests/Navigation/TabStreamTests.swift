// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import HummingbirdTesting
import Onward
import OnwardNavigation
import Testing

@testable import OnwardServer

@Suite(.timeLimit(.minutes(5))) struct `Streaming to tabs` {
    private let server = HouseServer()
    private var tabs: Store<RouteTabs<Room>> { server.store.scoped(to: \.tabs) }

    private func events(_ tab: String, _ route: String = "/", after id: String? = nil) -> String {
        RawConnection.events(after: id, query: "?tab=\(tab)&route=\(route)")
    }

    @Test func `each tab gets its own screen, and is not notified of the other's`() async throws {
        tabs.dispatch(TabAction.open("tab-one-1", at: RouteStack(Room.hall)))
        tabs.dispatch(TabAction.open("tab-two-2", at: RouteStack(Room.hall, .kitchen)))
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: events("tab-one-1")) { one in
                let first = try await one.event().data
                #expect(
                    first.first == #"{"tab":{"routes":["/"],"title":"At: Hall","version":2}}"#)
                #expect(first.contains(#"{"keys":["room","door"]}"#))
                try await RawConnection.with(port: port, send: events("tab-two-2")) { two in
                    let second = try await two.event().data
                    #expect(second.first?.contains(#"["/","/kitchen"]"#) == true)
                    #expect(second.dropFirst().first == #"{"keys":["room"]}"#)
                    tabs.dispatch(
                        NavigationAction.push(Room.shelf("a")),
                        to: RouteTabs<Room>.address(ofTab: "tab-two-2"))
                    let pushed = try await two.event()
                    #expect(pushed.id.hasSuffix("-3") && pushed.data.count == 3)
                    #expect(pushed.data.first?.contains(#"["/","/kitchen","/kitchen/a"]"#) == true)
                    #expect(pushed.data.last?.contains("<h1>Shelf a</h1>") == true)
                }
                server.store.dispatch(HouseAction.knock)
                let knock = try await one.event()
                #expect(knock.id.hasSuffix("-4"))
                #expect(knock.data.count == 2)
                #expect(knock.data.last == #"{"html":"<b>1</b>","key":"door"}"#)
            }
        }
    }

    @Test func `a tab that the state doesn't know is shown its URL, without a dispatch`()
        async throws
    {
        try await server.test(.live) { client in
            let port = try #require(client.port)
            try await RawConnection.with(port: port, send: events("tab-one-1", "%2Fkitchen")) {
                let page = try await $0.event().data
                #expect(page.first == #"{"keys":["room"]}"#)
                #expect(page.last?.contains("<h1>Kitchen</h1>") == true)
                #expect(server.store.log.version == 0)
                tabs.dispatch(TabAction.open("tab-one-1", at: Room.codec.stack(at: "/kitchen")))
                let known = try await $0.event().data
                #expect(known.count == 1)
                #expect(known.first?.contains(#"{"tab":{"routes":["/","/kitchen"]"#) == true)
                tabs.dispatch(TabAction<Room>.close("tab-one-1"))
                tabs.dispatch(TabAction.open("tab-one-1", at: RouteStack(Room.hall)))
                let moved = try await $0.event().data
                #expect(moved.last?.contains("<b>0</b>") == true)
            }
        }
    }

    @Test func `a tab that comes back is sent what it lacks, and where it is`() async throws {
        tabs.dispatch(TabAction.open("tab-one-1", at: RouteStack(Room.hall)))
        try await server.test(.live) { client in
            let port = try #require(client.port)
            let id = try await RawConnection.with(port: port, send: events("tab-one-1")) {
                try await $0.event().id
            }
            server.store.dispatch(HouseAction.call(tab: "x"))
            try await RawConnection.with(port: port, send: events("tab-one-1", after: id)) {
                let same = try await $0.event().data
                #expect(same.count == 1 && same.first?.contains(#"{"tab":{"routes":["/"]"#) == true)
            }
            tabs.dispatch(
                NavigationAction.push(Room.kitchen), to: RouteTabs<Room>.address(ofTab: "tab-one-1")
            )
            try await RawConnection.with(port: port, send: events("tab-one-1", after: id)) {
                let moved = try await $0.event().data
                #expect(moved.first?.contains(#"["/","/kitchen"]"#) == true)
                #expect(moved.dropFirst().first == #"{"keys":["room"]}"#)
            }
        }
    }

    @Test(arguments: [
        "", "?tab=x", "?tab=%00%C3%BC&route=%25", "?route=//evil.example", "?tab=tab-one-1",
    ])
    func `whatever a reader says of itself, it gets a screen`(query: String) async throws {
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events(query: query)
            ) {
                let page = try await $0.event().data
                #expect(page.first?.hasPrefix(#"{"keys":["room""#) == true)
            }
        }
        #expect(server.store.log.version == 0)
    }

    @Test(arguments: ["/?a=%", "/?a=%4", "/kitchen?a=%zz", "/events?tab=%00%FF", "/?%C3"])
    func `an address that can't be read is answered with 400`(url: String) async throws {
        try await server.test { client in
            let answer = try await client.get(url)
            #expect(answer.status == .badRequest)
        }
    }

    @Test func `a tab without stream is closed after a while, one with a stream stays`()
        async throws
    {
        var server = server
        let clock = StepClock()
        server.options.clock = clock
        let store = server.store
        let tabs = tabs
        for id in ["tab-one-1", "tab-two-2"] {
            tabs.dispatch(TabAction.open(id, at: RouteStack(Room.hall)))
        }
        try await server.test(.live) { client in
            try await RawConnection.with(
                port: #require(client.port), send: events("tab-one-1")
            ) {
                _ = try await $0.event()
                await clock.advance(by: .seconds(15))
                _ = try await $0.read(until: "event: beat\ndata:\n\n")
                #expect(store.state.tabs.open.count == 2)
                await clock.advance(by: .seconds(15))
                try await store.wait { $0.tabs.open.map(\.id) == ["tab-one-1"] }
            }
        }
    }

    @Test func `a tab is gone when no stream was open for it in two looks in a row`() {
        var detector = ClosedTabDetector()
        #expect(detector.look(at: ["a", "b", "c"], streams: ["a"]) == [])
        #expect(detector.look(at: ["a", "b", "c"], streams: ["a", "c"]) == ["b"])
        #expect(detector.look(at: ["a", "b", "c"], streams: ["a"]) == [])
        #expect(detector.look(at: ["a", "b", "c"], streams: []) == ["b", "c"])
        #expect(detector.look(at: ["a"], streams: []) == ["a"])
    }
}
#endif
