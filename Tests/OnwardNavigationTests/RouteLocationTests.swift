// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import Testing

@testable import TestSupport

@Suite struct RouteLocationTests {
    @Test(arguments: [
        (RouteLocation(), "/"),
        (RouteLocation(["categories"]), "/categories"),
        (RouteLocation(["a b", "ü", "🎲"]), "/a%20b/%C3%BC/%F0%9F%8E%B2"),
        (RouteLocation(["a/b?c#d"]), "/a%2Fb%3Fc%23d"),
        (
            RouteLocation(["search"], query: ["q": "rock & roll", "n": 7]),
            "/search?q=rock%20%26%20roll&n=7"
        ),
        (RouteLocation(["", "host"]), "/~/host"),
        (RouteLocation(["a", ""]), "/a/~"),
        (RouteLocation([""]), "/~"),
        (RouteLocation(["..", ".", "..."]), "/~../~./..."),
        (RouteLocation(["~", "~~..", "~a"]), "/~~/~~~../~a"),
        (RouteLocation([], query: ["": ""]), "/?="),
    ])
    func `is written as a path and a query, and read back`(location: RouteLocation, text: String) {
        #expect(location.description == text)
        #expect(RouteLocation(text) == location)
    }

    @Test(arguments: [
        ("/a/", ["a"]), ("/a//b", ["a", "", "b"]), ("//host/x", ["", "host", "x"]), ("//", [""]),
        ("/a#b?c", ["a"]), ("/%61%2f", ["a/"]), ("/ü", ["ü"]), ("/./..", [".", ".."]),
        ("/a+b", ["a+b"]),
    ])
    func `other spellings are read as well`(text: String, segments: [String]) {
        #expect(RouteLocation(text) == RouteLocation(segments))
    }

    @Test
    func `fields of a form are read as browsers send them`() {
        let location = RouteLocation("/?q=rock+%2B+roll&&x&y=1=2&q=pop")
        #expect(location?.query["q"] == "rock + roll")
        #expect(location?.query.all("q") == ["rock + roll", "pop"])
        #expect(location?.query["x"] == "")
        #expect(location?.query["y"] == "1=2")
        #expect(location?.query["z"] == nil)
    }

    @Test(arguments: [
        "", "a", "https://host/", "*", "/%", "/%4", "/%zz", "/%+1", "/%C3", "/%FF", "/%ED%A0%80",
        "/%C0%AF",
        "/a\nb", "/a\u{7F}", "/?q=%", "/?%E0=1",
    ])
    func `malformed texts are refused`(text: String) {
        #expect(RouteLocation(text) == nil)
    }

    @Test
    func `texts beyond the limits are refused`() {
        let longest = "/" + String(repeating: "a", count: RouteLocation.textLimit - 1)
        #expect(RouteLocation(longest) != nil)
        #expect(RouteLocation(longest + "a") == nil)
        #expect(RouteLocation("/" + String(repeating: "%", count: 10_000_000)) == nil)
        let deepest = String(repeating: "/a", count: RouteLocation.segmentLimit)
        #expect(RouteLocation(deepest) != nil)
        #expect(RouteLocation(deepest + "/a") == nil)
        let widest = "/?" + String(repeating: "a&", count: RouteLocation.fieldLimit)
        #expect(RouteLocation(widest) != nil)
        #expect(RouteLocation(widest + "a") == nil)
    }

    @Test
    func `any location that is written is read as the same one`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<scaled(5_000) {
            var location = RouteLocation()
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                location.segments.append(generator.text())
            }
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                location.query.append(generator.text(), as: generator.text())
            }
            let text = location.description
            let read = RouteLocation(text)
            try #require(read == location)
            try #require(read?.description == text)
            // The same scalars, not just texts that look the same.
            try #require(
                read?.segments.map { Array($0.unicodeScalars) }
                    == location.segments.map { Array($0.unicodeScalars) })
        }
    }

    @Test
    func `what is written stands in HTML, headers and browsers as it is`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<scaled(5_000) {
            let text = RouteLocation(
                [generator.text(), generator.text()], query: ["q": generator.text()]
            ).description
            try #require(!text.hasPrefix("//"))
            try #require(
                text.utf8.allSatisfy { byte in
                    switch Unicode.Scalar(byte) {
                    case "a"..."z", "A"..."Z", "0"..."9", "-._~%/?=&".unicodeScalars: true
                    default: false
                    }
                })
            // No segment that a browser would resolve or a proxy would merge.
            let path = text.prefix { $0 != "?" }
            for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            {
                try #require(!["", ".", ".."].contains(String(segment)))
            }
        }
    }

    @Test
    func `any bytes are read or refused, never worse`() throws {
        var generator = SeededGenerator(seed: 4)
        let alphabet = Array("/%?&=#+.~aF09\u{0}é".utf8) + [0xFF, 0xC3]
        for _ in 0..<scaled(20_000) {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &generator)]
            }
            guard let location = RouteLocation("/" + String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            try #require(RouteLocation(location.description) == location)
        }
    }
}

private func ~= (scalars: String.UnicodeScalarView, scalar: Unicode.Scalar) -> Bool {
    scalars.contains(scalar)
}
