// SPDX-License-Identifier: MIT
#if Server

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InspectedShop
import Mustache
import NIOCore
import Onward
import OnwardInspection
import OnwardInspector
import OnwardJournal
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

    @Test func `lists and objects of objects are tables, with a column for each field`()
        async throws
    {
        struct Node: Codable, Sendable { var owner: String?, lag: Int }
        struct Cluster: Codable, Sendable {
            var name = "eu"
            var nodes = [Node(owner: "a", lag: 0), Node(owner: nil, lag: 7)]
            var stores = ["<shop>": Node(owner: "b", lag: 2)]
        }
        let cluster = Store(Cluster()) { Reduce { (_: inout Cluster, _: CartAction) in } }
        inspector.attach(cluster, as: "cluster")
        let tables = try await document(at: "/cluster/state?as=table").html
        #expect(tables.contains(#"<th scope="col">owner</th>"#))
        #expect(tables.contains("<td></td><td>7</td>") || tables.contains("<td>7</td><td></td>"))
        #expect(tables.contains("&lt;shop&gt;") && !tables.contains("<shop>"))
        let part = try await document(at: "/cluster/state?path=nodes&as=table").html
        #expect(part.contains("<td>7</td>") && !part.contains("&lt;shop"))
        let none = try await document(at: "/cluster/state?path=name&as=table").html
        #expect(none.contains("No list here has objects"))
        withExtendedLifetime(cluster) {}
    }

    @Test func `what lives, when it lived, where the user was and what costs have URLs`()
        async throws
    {
        let token = store.subscribe(\.cart.total) { _, _ in }
        let alive = try await document(at: "/shop/activity").html
        #expect(alive.contains("InspectorTests.swift"))
        #expect(alive.contains("None. A store at rest"))
        #expect(try await document(at: "/shop/effects").html.contains("No effect lived then"))
        #expect(try await document(at: "/shop/pages/routes").html.contains("changed the route"))
        #expect(try await document(at: "/shop/pages/costs").html.contains("CartAction"))
        withExtendedLifetime(token) {}
    }

    @Test func `before entries are lost one is asked, and may export them`() async throws {
        let page = try await document(at: "/shop").html
        #expect(page.contains("href=\"/shop?ask=pause\""))
        #expect(!page.contains("<dialog"))
        let question = try await document(at: "/shop/entries/1/diff?ask=reset").html
        #expect(question.contains("<dialog"))
        #expect(question.contains("2 entries are lost"))
        #expect(question.contains("name=\"command\" value=\"reset\""))
        #expect(question.contains("href=\"/api/v1/stores/shop/file\""))
        #expect(question.contains("name=\"route\" value=\"/shop/entries/1/diff\""))
        // The links of the page lead away from it.
        #expect(!question.contains("href=\"/shop/entries/2/diff?ask"))
    }

    @Test func `a difference says what of it is shown, and why there is none`() async throws {
        let part = try await document(at: "/shop/entries/1/diff?path=cart.total").html
        #expect(part.contains("only cart.total"))
        #expect(part.contains("href=\"/shop/entries/1/diff\" data-route>show all"))
        let same = try await document(at: "/shop/entries/1/diff?path=visits").html
        #expect(same.contains("Nothing has changed at visits."))
    }

    @Test func `an action of a page says which page, and what its form has`() async throws {
        let file = ActionOrigin.file(ofRequest: "3f2a-11", from: "/basket")
        store.dispatch(CartAction.remove(7), file: file, line: 0)
        let trace = try await document(at: "/shop/entries/3/trace").html
        #expect(trace.contains("of the page <code>/basket</code>"))
        #expect(trace.contains("<code>type=CartAction/remove</code>"))
        #expect(trace.contains("<code>3f2a-11</code>"))
    }

    @Test func `a list without entries says what was looked for`() async throws {
        let page = try await document(at: "/shop?text=fig&touched=cart.total&hide=Visit").html
        #expect(
            page.contains(
                "No entry here has “fig”, changed “cart.total” and is of a type that is not hidden."
            ))
        #expect(page.contains("Show Visit again"))
    }

    @Test func `the next entry is that of the filtered list`() async throws {
        store.dispatch(CartAction.add(id: 2, name: "Fig", price: 1))
        let page = try await document(at: "/shop/entries/1?type=CartAction%2Fadd").html
        #expect(
            page.contains(
                "href=\"/shop/entries/3?type=CartAction%2Fadd\" data-route data-hotkey=\"j\""))
        let gap = try await document(at: "/shop/entries/2?type=CartAction%2Fadd").html
        #expect(
            gap.contains(
                "href=\"/shop/entries/1?type=CartAction%2Fadd\" data-route data-hotkey=\"k\""))
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

    @Test func `other sites get nothing, and who follows a link of theirs is asked first`()
        async throws
    {
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let mode = try #require(HTTPField.Name("Sec-Fetch-Mode"))
        let purpose = try #require(HTTPField.Name("Sec-Fetch-Dest"))
        let application = try inspector.server(options: ServerOptions(port: 0)).application()
        try await application.test(.router) { client in
            for url in [
                "/", "/shop/entries/1/state", "/api/v1/stores",
                "/api/v1/stores/shop/test?shortest=1&path=cart",
            ] {
                let foreign: [HTTPFields] = [
                    [site: "cross-site"], [site: "same-site"], [.origin: "http://evil.example"],
                    [site: "cross-site", mode: "navigate", purpose: "iframe"],
                    [.origin: "http://evil.example", mode: "navigate", purpose: "document"],
                ]
                for headers in foreign {
                    let answer = try await client.execute(uri: url, method: .get, headers: headers)
                    #expect(answer.status == .forbidden, "\(url) \(headers)")
                    #expect(!String(buffer: answer.body).contains("Go on"))
                }
                let led = try await client.execute(
                    uri: url, method: .get,
                    headers: [site: "cross-site", mode: "navigate", purpose: "document"])
                #expect(led.status == .forbidden)
                let link = url.replacing("&", with: "&amp;")
                #expect(String(buffer: led.body).contains("<a href=\"\(link)\">Go on</a>"))
                for own in ["same-origin", "none"] {
                    let answer = try await client.execute(
                        uri: url, method: .get, headers: [site: own])
                    #expect(answer.status != .forbidden)
                }
            }
        }
    }

    @Test func `a page shows how far a search is, and begins none`() async throws {
        let page = try await document(at: "/shop/entries/2/test?shortest=1&path=cart.items").html
        #expect(page.contains("The search begins soon."))
        let again = try await document(at: "/shop/entries/2/test?shortest=1&path=cart.items").html
        #expect(again.contains("The search begins soon."))
    }

    @Test func `the title of a tab names the app first`() async throws {
        let page = try await document(at: "/shop/entries/2/state").html
        let name = ProcessInfo.processInfo.processName
        #expect(page.contains("<title>\(name) – shop – #2 – Inspector</title>"))
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
