// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Testing

@testable import OnwardServer

@Suite struct `A document that all share` {
    @Test func `is drawn once at each place, and has fresh request ids each time`() {
        let document = SharedDocument()
        let here = TabLocation(urls: ["/"], title: "Here")
        let there = TabLocation(urls: ["/"], title: "There")
        var drawings = 0
        func draw() -> Document.SharedBytes {
            drawings += 1
            return CutHTML("<p>?</p><p>?</p>", at: "?").bytes
        }
        let texts = (0..<2).map { _ in
            String(buffer: Document(document.drawn(at: here, draw: draw)).bytes)
        }
        #expect(drawings == 1)
        let ids = Set(texts.flatMap { $0.matches(of: /[0-9a-f]{32}/).map(\.output) })
        #expect(ids.count == 4)
        _ = document.drawn(at: there, draw: draw)
        #expect(drawings == 2)
    }

    @Test(arguments: [(100, 2), (100_000, 1)])
    func `is drawn again for a visitor who asks again, unless it is large`(
        size: Int, expected: Int
    ) {
        let document = SharedDocument()
        let here = TabLocation(urls: ["/"], title: "Here")
        var drawings = 0
        for _ in 0..<2 {
            _ = document.drawn(at: here, for: "Ann") {
                drawings += 1
                return Document.SharedBytes([ByteBuffer(repeating: 1, count: size)])
            }
        }
        #expect(drawings == expected)
        _ = document.drawn(at: here, for: "Bob") {
            drawings += 1
            return Document.SharedBytes([ByteBuffer()])
        }
        #expect(drawings == expected + 1)
    }
}
#endif
