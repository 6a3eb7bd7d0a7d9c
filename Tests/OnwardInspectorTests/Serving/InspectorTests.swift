// SPDX-License-Identifier: MIT
#if Inspector

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InspectedShop
import Mustache
import NIOCore
import Onward
import OnwardInspection
import OnwardInspector
import OnwardServer
import Testing

struct InspectorTests {
    private let store = makeShop()
    private let inspector = Inspector()

    init() {
        inspector.attach(store, as: "shop")
        store.dispatch(CartAction.add(id: 1, name: "<b>Pear</b>", price: 3))
        store.dispatch(CartAction.clear)
    }

    private func document(at url: String) async throws -> (status: Int, html: String) {
        let application = try inspector.server(options: ServerOptions(port: 0)).application()
        return try await application.test(.router) { client in
            // The log is looked at by a task that may not have begun.
            var answer = try await client.execute(uri: url, method: .get)
            while String(buffer: answer.body).contains("There is no store") {
                await Task.yield()
                answer = try await client.execute(uri: url, method: .get)
            }
            return (Int(answer.status.code), String(buffer: answer.body))
        }
    }

    @Test func `each view of an entry has a URL`() async throws {
        let list = try await document(at: "/shop")
        #expect(list.status == 200)
        #expect(list.html.contains("CartAction/</span>clear"))
        let action = try await document(at: "/shop/entries/1").html
        #expect(action.contains("&lt;b&gt;Pear"))
        #expect(!action.contains("<b>Pear"))
        let state = try await document(at: "/shop/entries/1/state?path=cart").html
        #expect(state.contains("Who changed this?"))
        let diff = try await document(at: "/shop/entries/2/diff").html
        #expect(diff.contains("cart.total"))
        let trace = try await document(at: "/shop/entries/1/trace").html
        #expect(trace.contains("InspectorTests.swift"))
        #expect(try await document(at: "/shop/entries/99").html.contains("is not in the log"))
    }

    @Test func `what lives, when it lived, where the user was and what costs have URLs`()
        async throws
    {
        let token = store.subscribe(\.cart.total) { _, _ in }
        let alive = try await document(at: "/shop/activity").html
        #expect(alive.contains("InspectorTests.swift"))
        #expect(alive.contains("None. A store at rest"))
        #expect(try await document(at: "/shop/effects").html.contains("No effect lived then"))
        #expect(try await document(at: "/shop/routes").html.contains("changed the route"))
        #expect(try await document(at: "/shop/costs").html.contains("CartAction"))
        withExtendedLifetime(token) {}
    }

    @Test func `mounted in a server it stands beside the app's own screens`() async throws {
        let library = MustacheLibrary(templates: [
            "layout": try MustacheTemplate(
                string: "<html><head>{{> onward/head}}</head><body>The app</body></html>")
        ])
        let page = try Page<Shop>(title: "App", templates: library, accepts: []) { (_: Shop) in [] }
        let server = PageServer(page, hosting: .shared(store), options: ServerOptions(port: 0))
        let application = try inspector.mounted(in: server, at: "/tools/inspector").application()
        try await application.test(.router) { client in
            func get(_ url: String) async throws -> (Int, String) {
                let answer = try await client.execute(uri: url, method: .get)
                return (Int(answer.status.code), String(buffer: answer.body))
            }
            #expect(try await get("/").1.contains("The app"))
            #expect(try await get("/shop").0 == 404)
            var list = try await get("/tools/inspector/shop")
            while list.1.contains("There is no store") {
                list = try await get("/tools/inspector/shop")
            }
            #expect(list.0 == 200)
            #expect(list.1.contains("href=\"/tools/inspector/shop/entries/2"))
            #expect(list.1.contains("/tools/inspector/events?since="))
            #expect(!list.1.contains("\"/inspector.css"))
            for url in ["inspector.js", "inspector.css", "onward.js", "api/v1/stores"] {
                #expect(try await get("/tools/inspector/\(url)").0 == 200)
            }
            #expect(try await get("/tools/inspector/nowhere/at/all").0 == 404)
            #expect(try await get("/tools/inspectors").0 == 404)
        }
        var options = ServerOptions()
        options.host = "0.0.0.0"
        #expect(throws: InspectorError.self) {
            try inspector.mounted(
                in: PageServer(page, hosting: .shared(store), options: options))
        }
    }

    @Test func `beyond this machine an access token is needed`() throws {
        var options = ServerOptions()
        options.host = "0.0.0.0"
        #expect(throws: InspectorError.self) { try inspector.server(options: options) }
        options.accessToken = "a-long-random-text"
        _ = try inspector.server(options: options)
    }
}
#endif
