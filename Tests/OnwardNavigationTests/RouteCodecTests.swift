// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import Testing

@testable import TestSupport

@Suite struct RouteCodecTests {
    private let codec = Screen.codec

    @Test(arguments: [
        (Screen.menu, "/"), (.categories, "/categories"), (.album(7, side: nil), "/albums/7"),
        (.album(-1, side: "b"), "/albums/-1?side=b"),
        (.search("rock & roll"), "/search?q=rock%20%26%20roll"),
        (.tag("a/b", ["c", ""]), "/tags/a%2Fb?with=c&with="), (.tag("", []), "/tags/~"),
    ])
    func `a route has a URL, and the URL means the route`(screen: Screen, text: String) {
        #expect(codec.text(of: screen) == text)
        #expect(codec.route(at: text) == screen)
    }

    @Test
    func `any route that is written is read as the same one`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<scaled(5_000) {
            let screen = generator.screen()
            let text = codec.text(of: screen)
            try #require(text.map { codec.route(at: $0) } == screen)
            try #require(text.flatMap { codec.text(of: codec.route(at: $0)) } == text)
        }
    }

    @Test(arguments: [
        "/nowhere", "/albums/seven", "/albums", "/albums/7/8", "/search", "//categories", "/Game",
        "", "game", "/%zz",
        "/albums/99999999999999999999", "/categories/../game", "javascript:alert(1)",
    ])
    func `an unknown URL means the route that is meant for it`(text: String) {
        #expect(codec.find(text) == nil)
        #expect(codec.route(at: text) == .notFound)
        #expect(codec.stack(at: text) == RouteStack(.notFound))
    }

    @Test
    func `a URL of any size means some route`() {
        #expect(codec.route(at: "/" + String(repeating: "a/", count: 1_000_000)) == .notFound)
        #expect(codec.text(of: .search(String(repeating: "é", count: 100_000))) == nil)
        #expect(codec.text(of: .tag("a", Array(repeating: "b", count: 100))) == nil)
    }

    @Test
    func `a route without a pattern has no URL`() {
        #expect(codec.text(of: .notFound) == nil)
    }

    @Test
    func `fields that no pattern asks for are ignored`() {
        #expect(codec.route(at: "/game?from=mail&side=x") == .game)
        #expect(codec.route(at: "/albums/7?id=8&id=9") == .album(7, side: nil))
    }

    @Test
    func `the first pattern that fits counts`() {
        let codec = RouteCodec<String>(
            notFound: { "? " + $0 },
            [
                RoutePattern("/home", "home"),
                RoutePattern("/:page", read: { $0["page"] }, write: { ["page": $0] }),
            ])
        #expect(codec.route(at: "/home") == "home")
        #expect(codec.text(of: "home") == "/home")
        #expect(codec.route(at: "/other") == "other")
        #expect(codec.route(at: "/a/b") == "? /a/b")
    }

    @Test
    func `a route that lacks a value of its path has no URL`() {
        let pattern = RoutePattern<String>("/:a/:b", read: { $0["b"] }, write: { ["b": $0] })
        #expect(RouteCodec(notFound: "", [pattern]).text(of: "x") == nil)
    }

    @Test
    func `may be two functions`() {
        let codec = RouteCodec<Int>(
            notFound: { _ in 0 }, read: { Int($0.segments.joined()) },
            write: { RouteLocation(["\($0)"]) })
        #expect(codec.text(of: 12) == "/12")
        #expect(codec.route(at: "/1/2") == 12)
        #expect(codec.route(at: "/x") == 0)
    }

    @Test
    func `a link opens the screens above its own, so that there is a way back`() {
        #expect(codec.stack(at: "/") == RouteStack(.menu))
        #expect(codec.stack(at: "/game") == RouteStack(.menu, .game))
        // There is no screen at /albums.
        #expect(codec.stack(at: "/albums/7?side=b") == RouteStack(.menu, .album(7, side: "b")))
    }
}
