// SPDX-License-Identifier: MIT

import ExpensesCore
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Onward
import OnwardJournal
import OnwardServer
import Testing

@testable import ExpensesPage

@Suite struct PageTests {
    private let store = Store(Expenses()) { expenses }

    /// Runs a test against the page, as somebody who has opened it.
    private func serve(_ body: @Sendable (Visitor) async throws -> Void) async throws {
        try await PageServer.expenses(hosting: .shared(store)).application().test(.router) {
            try await body(Visitor(client: $0))
        }
    }

    private func lunch(_ amount: String) -> String {
        "type=LedgerAction/add&payee=Noodle+House&amount=\(amount)&category=food&day=2026-11-03"
    }

    @Test func `an expense that is posted is on the page, with the total of its month`()
        async throws
    {
        try await serve { visitor in
            #expect(try await visitor.page().contains("Nothing was spent yet."))
            #expect(try await visitor.post(lunch("12.50"), 1).status.code < 400)
            let html = try await visitor.page()
            #expect(html.contains("Noodle House"))
            #expect(html.contains("November 2026"))
            #expect(html.contains("1 expense, 12.50"))
            #expect(!html.contains("Nothing was spent yet."))
        }
    }

    @Test func `what is wrong is said, and nothing is added`() async throws {
        try await serve { visitor in
            let answer = try await visitor.post(lunch("free"), 1)
            #expect(answer.status == .conflict)
            #expect(String(buffer: answer.body).contains("Please enter an amount such as 12.50."))
        }
        #expect(store.state.ledger.expenses.isEmpty)
    }

    @Test func `texts are escaped wherever they stand`() async throws {
        try await serve { visitor in
            let form =
                "type=LedgerAction/add&payee=%22%3E%3Cscript%3E&amount=1&category=food&day=2026-11-03"
            _ = try await visitor.post(form, 1)
            let html = try await visitor.page()
            #expect(!html.contains("\"><script>"))
            #expect(html.contains("&lt;script&gt;"))
        }
    }

    @Test func `what the app says by itself can't be posted`() async throws {
        try await serve { visitor in
            let answer = try await visitor.post("type=NoticeAction/say&value=Hello", 1)
            #expect(answer.status.code >= 400)
        }
        #expect(store.state.notice == nil)
    }

    @Test func `of many expenses the newest fifty are shown, and a visitor looks at others`()
        async throws
    {
        store.dispatch(LedgerAction.addSamples(count: 2_000, seed: 1))
        try await serve { visitor in
            let first = try await visitor.page()
            #expect(first.contains("Show more (1950 left)"))
            #expect(first.ranges(of: "class=\"expense\"").count == 50)
            _ = try await visitor.post("type=LookAction/find&text=noodle&category=food&month=", 1)
            let html = try await visitor.page()
            #expect(html.contains("value=\"noodle\""))
            #expect(!html.contains("Metro"))
            let other = try await Visitor(client: visitor.client)
            #expect(!(try await other.page()).contains("value=\"noodle\""))
        }
    }

    @Test func `a budget has its meter, and says when it is exceeded`() async throws {
        try await serve { visitor in
            _ = try await visitor.post("type=LedgerAction/budget&category=food&amount=10", 1)
            _ = try await visitor.post(lunch("12.50"), 2)
            #expect(try await visitor.page().contains("12.50 of 10.00, over budget"))
        }
    }

    @Test func `an undo takes back what was posted`() async throws {
        try await serve { visitor in
            _ = try await visitor.post(lunch("12.50"), 1)
            guard case .undo(let step, _)? = store.state.undo.undo else {
                Issue.record("There is nothing to undo.")
                return
            }
            _ = try await visitor.post("type=UndoAction/undo&step=\(step)", 2)
        }
        #expect(store.state.ledger.expenses.isEmpty)
    }
}

/// Somebody who has opened the page.
private struct Visitor {
    let client: any TestClientProtocol
    private let cookie: String?

    init(client: any TestClientProtocol) async throws {
        self.client = client
        let first = try await client.execute(uri: "/", method: .get)
        cookie = first.headers[.setCookie]?.split(separator: ";").first.map(String.init)
    }

    func page() async throws -> String {
        String(buffer: try await client.execute(uri: "/", method: .get, headers: headers).body)
    }

    func post(_ form: String, _ number: Int) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await client.execute(
            uri: "/", method: .post, headers: headers,
            body: ByteBuffer(string: "\(form)&request=request-of-a-test-\(number)"))
    }

    private var headers: HTTPFields {
        var headers = HTTPFields()
        headers[.cookie] = cookie
        return headers
    }
}
