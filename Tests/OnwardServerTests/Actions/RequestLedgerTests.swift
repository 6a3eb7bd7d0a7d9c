// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `Remembering requests` {
    @Test func `the newest answers are kept and the oldest forgotten`() throws {
        var ledger = RequestLedger(limit: 3)
        let posts = try (0..<5).map { try post("request-\($0)") }
        for post in posts { ledger.record(.dispatched, to: post) }
        #expect(
            posts.map { ledger.answer(to: $0) } == [nil, nil]
                + Array(repeating: .dispatched, count: 3))
    }

    @Test func `an id used for something else is stale`() throws {
        var ledger = RequestLedger()
        ledger.record(.dispatched, to: try post("request-1", card: "ace"))
        #expect(ledger.answer(to: try post("request-1", card: "ace")) == .dispatched)
        #expect(ledger.answer(to: try post("request-1", card: "king")) == .stale)
    }

    private func post(_ request: String, card: String = "ace") throws -> Post {
        try Post(
            .object([
                "type": .text("TableAction/play"), "request": .text(request), "card": .text(card),
            ]))
    }
}
#endif
