// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import HummingbirdTesting
import Logging
import Mustache
import Onward
import Testing

@testable import OnwardServer

private enum OrderAction: Action, Codable, Equatable {
    case ship(address: String)
    case move(move: String, tab: String)
    case note(text: String)
}

private struct Request: Action, Codable { let request: String }

private struct Orders: Equatable, Sendable { var taken: [OrderAction] = [] }

@Suite struct `Names that belong to a page` {
    private static func page(_ template: String = "") throws -> Page<Orders> {
        var library = MustacheLibrary()
        try library.register(template, named: "form")
        return try Page(
            title: "Orders", templates: library, accepts: [OrderAction.self, Request.self]
        ) { _ in [Fragment("form", model: ["request": "pizza", "expects": "cheese"])] }
    }

    @Test func `an action's fields of such names are found before the server starts`() throws {
        let lines = LogLines()
        var options = ServerOptions(port: 0)
        options.logger = Logger(label: "test") { _ in LineCollector(lines: lines) }
        let page = try Self.page(
            """
            <form>{{> onward/form}}<button name="type" value="OrderAction/ship">Ship</button>
            <button name="type" value="OrderAction/note">Note</button></form>
            """)
        #expect(ReservedFields.all(of: page) == ["OrderAction/ship.address", "Request.request"])
        _ = PageServer(page, hosting: .shared(Store(Orders()) {}), options: options).application()
        #expect(lines.all.count == 2)
        #expect(lines.all.allSatisfy { $0.contains("give it another label") })
    }

    @Test func `a form may have fields named tab and move where no page has these`() async throws {
        let store = Store(Orders()) {
            Reduce { (orders: inout Orders, action: OrderAction) in orders.taken.append(action) }
        }
        var options = ServerOptions()
        let lines = LogLines()
        options.logger = Logger(label: "test") { _ in LineCollector(lines: lines) }
        let server = PageServer(try Self.page(), hosting: .shared(store), options: options)
        try await server.application().test(.router) { client in
            let answer = try await client.post(
                form: "type=OrderAction/move&request=request-1&move=e2e4&tab=Table+5")
            #expect(answer.status == .seeOther)
            let missing = try await client.post(
                json: #"{"type":"Request","request":"request-2"}"#)
            #expect(missing.status == .badRequest)
            #expect(lines.all.contains { $0.contains("belongs to the page") })
        }
        #expect(store.state.taken == [.move(move: "e2e4", tab: "Table 5")])
    }

    @Test func `a model's own request and expects are not those of its forms`() async throws {
        let server = PageServer(
            try Self.page("<b>{{request}}</b>{{> onward/form}}"),
            hosting: .shared(Store(Orders()) {}))
        try await server.application().test(.router) { client in
            let page = try await client.get()
            #expect(page.text.contains("<b>pizza</b>"))
            #expect(page.fields("request").allSatisfy(Post.isID))
            #expect(page.fields("expects") == [""])
        }
    }
}
#endif
