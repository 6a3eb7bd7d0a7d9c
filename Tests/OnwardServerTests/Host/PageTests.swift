// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import NIOCore
import Onward
import OnwardServer
import Testing

@Suite struct `Showing a page` {
    @Test func `the document is a function of the state`() async throws {
        let server = TestServer()
        server.store.dispatch(TableAction.play(card: "queen"))
        try await server.test { client in
            let page = try await client.get()
            #expect(page.status == .ok)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains("<title>Cards &amp; dice</title>"))
            #expect(
                page.text.contains("<div data-fragment=\"plays\"><ol><li>queen</li></ol></div>"))
        }
    }

    @Test func `the status line has a look, over which any rule of an app prevails`() async throws {
        try await TestServer().test { client in
            let page = try await client.get().text
            let style = try #require(page.firstMatch(of: /href="(\/onward\.css[^"]*)"/))
            let rules = try await client.get(String(style.1)).text
            #expect(rules.contains(":where([data-status]) {"))
            #expect(rules.contains("position: fixed"))
        }
    }

    @Test func `a layout may place each fragment by itself`() async throws {
        var server = TestServer()
        server.layout = "<html><footer>{{{fragment.clock}}}</footer>{{> onward/status}}</html>"
        try await server.test { client in
            let page = try await client.get()
            #expect(
                page.text == """
                    <html><footer><!--fragment clock--><div data-fragment="clock">\
                    <time>0</time></div></footer>\
                    <p role="status" data-status></p>
                    </html>
                    """)
        }
    }

    @Test func `a fragment that isn't there has its place marked`() async throws {
        var server = TestServer()
        server.layout = "<aside>{{{fragment.note}}}</aside>{{> onward/status}}"
        let store = server.store
        try await server.test { client async throws in
            #expect(try await client.get().text.hasPrefix("<aside><!--fragment note--></aside>"))
            store.dispatch(TableAction.note(true))
            #expect(
                try await client.get().text.hasPrefix(
                    "<aside><!--fragment note--><div data-fragment=\"note\">"))
        }
        try await TestServer().test { client async throws in
            let page = try await client.get().text
            #expect(page.contains("<main>\n<!--fragments-->\n<div data-fragment=\"plays\">"))
        }
    }

    @Test(arguments: ["<script>alert(1)</script>", "\" onmouseover=\"alert(1)", "'><img src=x>"])
    func `texts of the state are escaped`(text: String) async throws {
        let server = TestServer()
        server.store.dispatch(TableAction.say(text))
        try await server.test { client in
            let page = try await client.get()
            #expect(!page.text.contains(text))
            #expect(page.text.contains(text.contains("<") ? "&lt;" : "&quot;"))
        }
    }

    @Test(arguments: ["\"\u{301} onmouseover=x ", "<\u{301}", "'\u{200D}", "&\u{301}"])
    func `a combining mark doesn't keep a character from being escaped`(text: String) async throws {
        let server = TestServer()
        server.store.dispatch(TableAction.say(text))
        try await server.test { client in
            let title = try #require(
                try await client.get().text.firstMatch(of: /<p title=([^>]*)>/)?.1)
            #expect(title.unicodeScalars.count { $0 == "\"" } == 2)
            #expect(!title.unicodeScalars.contains("<") && !title.unicodeScalars.contains("'"))
        }
    }

    @Test func `a GET never dispatches`() async throws {
        let server = TestServer()
        try await server.test { client in
            for uri in [
                "/", "/?type=TableAction/play&request=request-1&card=ace", "/onward.js",
                "/favicon.ico", "/nowhere",
            ] {
                _ = try await client.get(uri)
                _ = try await client.execute(
                    uri: uri, method: .get, headers: [.contentType: "application/json"],
                    body: .init(string: play()))
            }
        }
        #expect(server.store.log.version == 0)
    }

    @Test func `nothing but the page's own runs, loads or frames`() async throws {
        var server = TestServer()
        server.assets = [.stylesheet("/style.css", "p { color: teal }")]
        try await server.test { client in
            for uri in ["/", "/onward.js", "/style.css", "/nowhere"] {
                let headers = try await client.get(uri).headers
                let policy = try #require(headers[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
                #expect(!policy.contains("unsafe"))
                #expect(headers[.xContentTypeOptions] == "nosniff")
                #expect(try headers[#require(.init("Referrer-Policy"))] == "same-origin")
            }
            let page = try await client.get().text
            #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains(" on"))
            #expect(page.matches(of: /<script/).count == 1)
        }
    }

    @Test func `an asset has its type and is sent again only when it changed`() async throws {
        var server = TestServer()
        server.assets = [
            .stylesheet("/style.css", "p { color: teal }"), .svg("/rock.svg", "<svg/>"),
        ]
        try await server.test { client in
            let page = try await client.get().text
            let link = try #require(page.firstMatch(of: /href="(\/style.css\?v=\w+)"/)?.1)
            let style = try await client.get(String(link))
            #expect(style.text == "p { color: teal }")
            #expect(style.headers[.contentType] == "text/css; charset=utf-8")
            let again = try await client.get(
                "/style.css", headers: [.ifNoneMatch: #require(style.headers[.eTag])])
            #expect(again.status == .notModified && again.text.isEmpty)
            #expect(try await client.get("/rock.svg").headers[.contentType] == "image/svg+xml")
            let script = try await client.get("/onward.js")
            #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
        }
    }

    @Test func `a foreign host name is refused`() async throws {
        var server = TestServer()
        server.options.hostNames = ["cards.example"]
        try await server.test { client async throws in
            #expect(try await client.get().status == .misdirectedRequest)
            #expect(try await client.post(json: play()).status == .misdirectedRequest)
        }
        #expect(server.store.log.version == 0)
    }
}
#endif
