// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import InspectedShop
import NIOCore
import Onward
import OnwardInspection
import OnwardInspector
import OnwardNavigation
import OnwardServer
import Testing

/// Pages and columns of others, as a browser gets them.
struct PageTests {
    private struct Least: Codable, Sendable { var price = 2 }

    private struct Shut: Error, CustomStringConvertible { let description = "The <shop> is shut." }

    private let store = makeShop()

    private func document(
        at url: String, of inspector: Inspector
    ) async throws -> String {
        let application = try inspector.server(options: ServerOptions(port: 0)).application()
        return try await application.test(.router) { client in
            // The log is looked at by a task that may not have begun.
            while true {
                let answer = try await client.execute(uri: url, method: .get)
                let html = String(buffer: answer.body)
                if !html.contains("There is no store") { return html }
                await Task.yield()
            }
        }
    }

    private func inspector() -> Inspector {
        let dear = InspectorPage("dear", title: "Dear <ones>", asking: Least()) { least, context in
            let state = context.state(as: Shop.self)
            let items = state?.cart.items ?? []
            return [
                .heading("At least \(least.price)"),
                .table(
                    ["Item", PageColumn("Name", hasWords: true)],
                    items.map { item in
                        [
                            PageCell("\(item.id)", link: .entry(item.id)),
                            PageCell(item.name, link: .state(path: "cart.items")),
                        ]
                    }), .links([PageCell("Dearer", link: .asking(Least(price: least.price + 1)))]),
            ]
        }
        let inspector = Inspector(
            pages: [dear],
            columns: [InspectorColumn("<Letters>") { "<\($0.name.count)>" }])
        inspector.attach(
            store, as: "shop", pages: [InspectorPage("shut", title: "Shut") { _ in throw Shut() }])
        store.dispatch(CartAction.add(id: 1, name: "<b>Pear</b>", price: 3))
        store.dispatch(CartAction.add(id: 2, name: "Fig", price: 3))
        return inspector
    }

    @Test func `a page of others is listed beside the inspector's own`() async throws {
        let html = try await document(at: "/shop/activity", of: inspector())
        for link in [
            #"<a href="/shop/pages/routes" data-route>Routes</a>"#,
            #"<a href="/shop/pages/costs" data-route>Costs</a>"#,
            #"<a href="/shop/pages/dear" data-route>Dear &lt;ones&gt;</a>"#,
            #"<a href="/shop/pages/shut" data-route>Shut</a>"#,
        ] { #expect(html.contains(link)) }
    }

    @Test func `it is drawn with its links, and everything in it is a text`() async throws {
        let inspector = inspector()
        let html = try await document(at: "/shop/entries/2/pages/dear", of: inspector)
        #expect(html.contains(#"href="/shop/entries/2/pages/dear" data-route aria-current="page""#))
        #expect(html.contains("<h3>At least 2</h3>"))
        #expect(html.contains("&lt;b&gt;Pear") && !html.contains("<b>Pear"))
        #expect(html.contains(#"<a href="/shop/entries/1" data-route>1</a>"#))
        #expect(html.contains(#"<a href="/shop/entries/2/state?path=cart.items""#))
        #expect(html.contains(#"<tr class="chosen"><th scope="row"><a href="/shop/entries/2""#))
        #expect(html.contains("?ask.price=3"))
        // The state is that after the selected entry.
        let before = try await document(at: "/shop/entries/1/pages/dear", of: inspector)
        #expect(before.contains("&lt;b&gt;Pear") && !before.contains("data-route>Fig</a>"))
    }

    @Test func `it is asked what its form and the URL say`() async throws {
        let html = try await document(at: "/shop/pages/dear?ask.price=7", of: inspector())
        #expect(html.contains("<h3>At least 7</h3>"))
        #expect(html.contains(#"<input name="ask.price" value="7""#))
        #expect(html.contains(#"method="get" action="/shop/pages/dear" data-route"#))
        let wrong = try await document(at: "/shop/pages/dear?ask.price=%3Cb%3E", of: inspector())
        #expect(wrong.contains("is no whole number: &lt;b&gt;") && !wrong.contains("number: <b>"))
    }

    @Test func `what it throws is shown in its place, as is that there is no such page`()
        async throws
    {
        let shut = try await document(at: "/shop/pages/shut", of: inspector())
        #expect(shut.contains("The &lt;shop&gt; is shut."))
        let none = try await document(at: "/shop/pages/none", of: inspector())
        #expect(none.contains("“shop” has no page “none”."))
    }

    @Test func `a column of others is in each row of the list, as a text`() async throws {
        let html = try await document(at: "/shop", of: inspector())
        #expect(html.contains("<span>&lt;Letters&gt;</span>"))
        #expect(html.contains(#"<span title="&lt;14&gt;">&lt;14&gt;</span>"#))
        #expect(!html.contains("<Letters>"))
    }

    @Test func `a store without pages and columns of others has no room for them`() async throws {
        let inspector = Inspector()
        inspector.attach(store, as: "shop")
        let html = try await document(at: "/shop", of: inspector)
        #expect(!html.contains("class=\"cells"))
        withExtendedLifetime(store) {}
    }
}
#endif
