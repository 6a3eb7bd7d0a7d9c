// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore
import Onward
import Testing

@testable import OnwardServer

@Suite struct `A document for one reader` {
    /// Keeps what it is given, and how large the largest part of it was.
    private struct Writer: ResponseBodyWriter {
        let kept = Guarded((all: ByteBuffer(), largest: 0))

        mutating func write(_ buffer: ByteBuffer) async throws {
            kept.withValue {
                $0.all.writeImmutableBuffer(buffer)
                $0.largest = max($0.largest, buffer.readableBytes)
            }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private static var ids: Regex<Substring> { /[0-9a-f]{32}-v7/ }

    @Test func `has an id with its version at each place, and the size that it says`() {
        let document = Document(CutHTML("<p>?</p><p>?</p>", at: "?").bytes, since: 7)
        let text = String(buffer: document.bytes)
        #expect(text.utf8.count == document.size)
        #expect(text.replacing(Self.ids, with: "!") == "<p>!</p><p>!</p>")
        #expect(Set(text.matches(of: Self.ids).map(\.output)).count == 2)
    }

    @Test(arguments: [1, 40_000, 200_000])
    func `is handed on whole, in small parts`(size: Int) async throws {
        let text = String(repeating: "a", count: size)
        let document = Document(CutHTML("\(text)?\(text)?b", at: "?").bytes, since: 7)
        let writer = Writer()
        var erased: any ResponseBodyWriter = writer
        try await document.write(to: &erased)
        let (all, largest) = writer.kept.withValue { $0 }
        #expect(all.readableBytes == document.size)
        #expect(String(buffer: all).replacing(Self.ids, with: "?") == "\(text)?\(text)?b")
        #expect(largest <= 2 * Document.chunk + 64)
    }

    @Test func `waits as the same bytes for all who share it, and is cut where others come`() {
        let backlog = Backlog(limit: 100_000)
        let cuts = Guarded<[String]>([])
        let shared = Document.SharedBytes([ByteBuffer(repeating: 1, count: 90_000)])
        let other = Document(ByteBuffer(repeating: 2, count: 90_000))
        func begin(_ bytes: Document.SharedBytes, _ name: String) {
            _ = backlog.begin(bytes, size: bytes.size) { cuts.withValue { $0.append(name) } }
        }
        for _ in 0..<100 { begin(shared, "shared") }
        #expect(cuts.withValue { $0 }.isEmpty)
        begin(other.shared, "other")
        #expect(cuts.withValue { $0 } == Array(repeating: "shared", count: 100))
    }

    @Test func `ends its wait when it was taken, and when its reader is gone`() async throws {
        struct Gone: Error {}
        struct GoneWriter: ResponseBodyWriter {
            mutating func write(_ buffer: ByteBuffer) async throws { throw Gone() }
            consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
        }
        let backlog = Backlog(limit: 100_000)
        let cuts = Guarded(0)
        for writer in [Writer(), GoneWriter()] as [any ResponseBodyWriter] {
            let document = Document(ByteBuffer(repeating: 1, count: 90_000))
            let body = backlog.body(of: document) { cuts.withValue { $0 += 1 } }
            #expect(body.contentLength == 90_000)
            try? await body.write(writer)
        }
        #expect(cuts.withValue { $0 } == 0)
    }
}
#endif
