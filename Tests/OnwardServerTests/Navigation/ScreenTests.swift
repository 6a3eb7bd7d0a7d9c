// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Onward
import Synchronization
import Testing

@testable import OnwardServer

/// Stores that were made for visitors.
private final class CountedVisitors: Sendable {
    private let made = Atomic(0)
    var count: Int { made.load(ordering: .relaxed) }

    func make() -> Store<House> {
        made.add(1, ordering: .relaxed)
        return House.store()
    }
}

@Suite struct `Showing screens` {
    @Test(arguments: [
        ("/", "Hall"), ("/kitchen", "Kitchen"), ("/kitchen/", "Kitchen"),
        ("/kitchen?x=1", "Kitchen"),
        ("/kitchen/a%20b%3Cc", "Shelf a b&lt;c"),
    ])
    func `a URL shows its screen, whatever was shown before`(uri: String, name: String) async throws
    {
        let server = HouseServer()
        try await server.test { client in
            let page = try await client.get(uri)
            #expect(page.status == .ok)
            #expect(page.text.contains("<h1>\(name)</h1>"))
            #expect(page.text.contains("<title>At: \(name)</title>"))
            #expect(page.text.contains("data-fragment=\"door\"") == (uri == "/"))
        }
    }

    @Test(arguments: ["/cellar", "/kitchen/a/b", "/%zz", "/..", "//kitchen", "/%00", "/\u{FF}"])
    func `an unknown URL shows the screen for it`(uri: String) async throws {
        try await HouseServer().test { client in
            let page = try await client.get(uri)
            #expect(page.status == .notFound)
            #expect(page.text.contains("<h1>Nowhere</h1>"))
            #expect(page.headers[.contentSecurityPolicy] != nil)
        }
    }

    @Test func `a GET never dispatches, also with the fields of a move`() async throws {
        let server = HouseServer()
        try await server.test { client in
            for uri in ["/", "/kitchen", "/cellar", "/?tab=tab-0001&route=/kitchen&move=push"] {
                _ = try await client.get(uri)
                _ = try await client.execute(uri: uri, method: .head)
            }
        }
        #expect(server.store.log.version == 0)
    }

    @Test func `a picture that isn't there is no screen, and makes nobody a visitor`() async throws
    {
        var server = HouseServer()
        let made = CountedVisitors()
        server.hosting = .perVisitor(limit: 2, idle: .seconds(60)) { made.make() }
        try await server.test { client in
            let destination = try #require(HTTPField.Name("Sec-Fetch-Dest"))
            let picture = try await client.get("/cover.png", headers: [destination: "image"])
            #expect(picture.status == .notFound)
            #expect(!picture.text.contains("Nowhere"))
            #expect(made.count == 0)
            #expect(
                try await client.get("/cover.png", headers: [destination: "document"]).text
                    .contains("Nowhere"))
        }
    }

    @Test func `the script for tabs comes with screens only`() async throws {
        try await HouseServer().test { client in
            let page = try await client.get("/kitchen").text
            let scripts = page.matches(of: /<script src="([^"?]*)/).map { String($0.1) }
            #expect(scripts == ["/onward.js"])
            #expect(try await client.get("/onward.js").text.contains("const onwardNavigation"))
        }
        try await TestServer().test { client async throws in
            #expect(try await !client.get("/onward.js").text.contains("const onwardNavigation"))
            #expect(try await client.get("/kitchen").status == .notFound)
        }
    }

    @Test func `a visitor who asks for very many screens at once has to wait`() async throws {
        let clock = StepClock()
        var server = HouseServer()
        server.options.clock = clock
        server.options.limits.screens = 20
        server.hosting = .perVisitor(limit: 2, idle: .seconds(3_600)) { House.store() }
        try await server.test { client in
            let (one, other) = try await (client.enter(), client.enter())
            for number in 0..<30 {
                let answer = try await client.get("/kitchen/\(number)", headers: one)
                #expect(answer.status == (number < 20 ? .ok : .tooManyRequests))
                #expect((answer.headers[.retryAfter] != nil) == (number >= 20))
            }
            // A screen that is drawn already costs nothing, and other visitors aren't limited.
            #expect(try await client.get("/kitchen/19", headers: one).status == .ok)
            #expect(try await client.get("/kitchen/30", headers: other).status == .ok)
            await clock.advance(by: .seconds(1))
            #expect(try await client.get("/kitchen/30", headers: one).status == .ok)
        }
    }

    @Test func `the script with all its parts is small`() async throws {
        var server = HouseServer()
        server.options.uploads = Uploads()
        try await server.test { client async throws in
            let script = try await client.get("/onward.js").text
            #expect(script.utf8.count <= 60 * 1_024)
            #expect(!script.contains(/\n *\/\//))
            let packed = try await client.get(
                "/onward.js", headers: [.acceptEncoding: "gzip, deflate, br"])
            #expect(packed.body.readableBytes <= 18 * 1_024)
            #expect(try packed.unpacked() == script)
        }
    }

    @Test func `a refused post asks for a screen as a document does`() async throws {
        var server = HouseServer()
        server.options.clock = StepClock()
        server.options.limits.screens = 20
        server.hosting = .perVisitor(limit: 2, idle: .seconds(3_600)) { House.store() }
        try await server.test { client in
            let one = try await client.enter()
            for number in 0..<30 {
                let answer = try await client.send(
                    ["type": "Nothing"], from: "/kitchen/\(number)", headers: one)
                #expect(answer.status == .badRequest)
                #expect(answer.text.contains("Shelf \(number)") == (number < 20))
            }
        }
    }

    @Test func `what a known pattern means may not be there`() async throws {
        try await HouseServer().test { client in
            #expect(try await client.get("/kitchen/spices").status == .ok)
            let answer = try await client.get("/kitchen/gone")
            #expect(answer.status == .notFound)
            #expect(answer.text.contains("Shelf gone"))
        }
    }

    @Test func `a million URLs cost the memory of a few`() throws {
        let page = try House.page()
        let read = ["/kitchen/1", "/kitchen/2"].map { page.location(at: $0) }
        var cache = RendererCache(page)
        let reader = SelectorReader(House.store().state)
        let first = try cache.render(reader, at: read[0]).id
        for number in 0..<1_000 {
            _ = try cache.render(reader, at: page.location(at: "/kitchen/\(number)"))
            cache.tidy { Set(read.map(\.key)) }
        }
        #expect(cache.count == RendererCache<House>.spare + 2)
        #expect(try cache.render(reader, at: read[0]).id == first)
    }
}
#endif
