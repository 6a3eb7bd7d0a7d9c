// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `A document that all share` {
    @Test func `is drawn once at each place, and has fresh request ids each time`() {
        let document = SharedDocument()
        let here = TabLocation(urls: ["/"], title: "Here")
        let there = TabLocation(urls: ["/"], title: "There")
        var drawings = 0
        func draw() -> CutHTML {
            drawings += 1
            return CutHTML("<p>?</p><p>?</p>", at: "?")
        }
        let texts = (0..<2).map { _ in document.drawn(at: here, make: draw).fresh() }
        #expect(drawings == 1)
        let ids = Set(texts.flatMap { $0.matches(of: /[0-9a-f]{32}/).map(\.output) })
        #expect(ids.count == 4)
        _ = document.drawn(at: there, make: draw)
        #expect(drawings == 2)
    }
}
#endif
