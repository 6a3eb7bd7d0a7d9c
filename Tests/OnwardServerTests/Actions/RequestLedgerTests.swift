// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `Remembering requests` {
    @Test func `the newest answers are kept and the oldest forgotten`() throws {
        var ledger = RequestLedger(limit: 3, byteLimit: 10_000)
        let posts = try (0..<5).map { try post("request-\($0)") }
        for post in posts { ledger.record(.dispatched, of: post) }
        #expect(
            posts.map { ledger.outcome(of: $0) } == [nil, nil]
                + Array(repeating: .dispatched, count: 3))
    }

    @Test func `an id used for something else is stale`() throws {
        var ledger = RequestLedger(limit: 1_000, byteLimit: 262_144)
        ledger.record(.dispatched, of: try post("request-1", card: "ace"))
        #expect(ledger.outcome(of: try post("request-1", card: "ace")) == .dispatched)
        #expect(ledger.outcome(of: try post("request-1", card: "king")) == .stale)
    }

    @Test func `as many large posts are kept as small ones`() throws {
        var ledger = RequestLedger(limit: 1_000, byteLimit: 262_144)
        let large = String(repeating: "x", count: 45_000)
        let posts = try (0..<1_000).map { try post("request-\($0)", card: "\(large)\($0)") }
        for post in posts { ledger.record(.dispatched, of: post) }
        #expect(posts.allSatisfy { ledger.outcome(of: $0) == .dispatched })
        #expect(ledger.size < 200_000)
    }

    @Test func `long refusals take no more bytes than allowed`() throws {
        var ledger = RequestLedger(limit: 1_000, byteLimit: 10_000)
        let sentence = String(repeating: "x", count: 1_000)
        let posts = try (0..<20).map { try post("request-\($0)") }
        for post in posts { ledger.record(.refused(Rejection(.badRequest, sentence)), of: post) }
        #expect(ledger.size <= 10_000)
        #expect(ledger.outcome(of: posts[0]) == nil && ledger.outcome(of: posts[19]) != nil)
    }

    @Test func `what an earlier run has answered is answered again`() throws {
        var ledger = RequestLedger(limit: 1_000, byteLimit: 262_144)
        ledger.restore("request-1")
        #expect(ledger.outcome(of: try post("request-1")) == .dispatched)
        #expect(ledger.outcome(of: try post("request-2")) == nil)
    }

    private func post(_ request: String, card: String = "ace") throws -> Post {
        try Post(
            .object([
                "type": .text("TableAction/play"), "request": .text(request), "card": .text(card),
            ]))
    }
}
#endif
