// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression
import Onward
import Testing

@testable import OnwardServer

@Suite struct `Compressing answers` {
    private static let gzip: HTTPFields = [.acceptEncoding: "gzip, deflate, br, zstd"]

    @Test func `a page that all share, and files that are texts, are sent packed`() async throws {
        var server = TestServer()
        server.padding = String(repeating: "<p>again</p>", count: 500)
        server.assets = [
            .stylesheet("/style.css", String(repeating: "p { color: red }", count: 100)),
            Asset(
                path: "/a.png", contentType: "image/png", bytes: [UInt8](repeating: 7, count: 9_000)
            ),
        ]
        try await server.test { client in
            for path in ["/", "/style.css", "/onward.js"] {
                let plain = try await client.get(path)
                let packed = try await client.get(path, headers: Self.gzip)
                #expect(plain.headers[.contentEncoding] == nil)
                #expect(packed.headers[.contentEncoding] == "gzip")
                #expect(plain.headers[.vary] == "Accept-Encoding")
                #expect(packed.headers[.vary] == "Accept-Encoding")
                #expect(packed.body.readableBytes < plain.body.readableBytes / 2)
                #expect(packed.headers[.contentLength] == "\(packed.body.readableBytes)")
                // Each drawing of a form has a request id of its own.
                let ids = /name="request" value="[^"]*"/
                #expect(
                    try packed.unpacked().replacing(ids, with: "")
                        == plain.text.replacing(ids, with: ""))
            }
            let picture = try await client.get("/a.png", headers: Self.gzip)
            #expect(picture.headers[.contentEncoding] == nil)
        }
    }

    @Test(arguments: [
        ("gzip", true), ("br, GZIP;q=0.5", true), ("gzip;q=0", false), ("gzip; q=0.0", false),
        ("identity", false), ("", false), ("x-gzipped", false),
    ])
    func `only for those that say they can unpack it`(accepted: String, isPacked: Bool) async throws
    {
        try await TestServer().test { client in
            let answer = try await client.get("/onward.js", headers: [.acceptEncoding: accepted])
            #expect((answer.headers[.contentEncoding] == "gzip") == isPacked)
        }
    }

    @Test func `the two forms of a file have tags of their own`() async throws {
        try await TestServer().test { client in
            let plain = try await client.get("/onward.js").headers[.eTag]
            let packed = try await client.get("/onward.js", headers: Self.gzip).headers[.eTag]
            #expect(plain != packed)
            var headers = Self.gzip
            headers[.ifNoneMatch] = packed
            let again = try await client.get("/onward.js", headers: headers)
            #expect(again.status == .notModified)
            headers[.ifNoneMatch] = plain
            #expect(try await client.get("/onward.js", headers: headers).status == .ok)
        }
    }

    @Test(arguments: [
        (Compression.off, false, false), (.files, true, false), (.sharedPages, true, false),
        (.allPages, true, true),
    ])
    func `pages of a visitor's own store are packed only where the app says so`(
        compression: Compression, packsFiles: Bool, packsPages: Bool
    ) async throws {
        var server = TestServer()
        server.padding = String(repeating: "<p>again</p>", count: 500)
        server.hosting = .perVisitor(limit: 2, idle: .seconds(60)) { Table.store() }
        server.options.compression = compression
        try await server.test(.live) { client in
            let page = try await client.get("/", headers: Self.gzip)
            #expect((page.headers[.contentEncoding] == "gzip") == packsPages)
            let script = try await client.get("/onward.js", headers: Self.gzip)
            #expect((script.headers[.contentEncoding] == "gzip") == packsFiles)
            let cookie = try #require(page.headers[.setCookie]).prefix { $0 != ";" }
            let request =
                "GET /events HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
                + "Cookie: \(cookie)\r\n\r\n"
            try await RawConnection.with(port: #require(client.port), send: request) { reader in
                let head = try await reader.read(until: "\r\n\r\n").lowercased()
                #expect(head.contains("content-encoding: gzip") == packsPages)
            }
        }
    }

    @Test func `a stream is pieces that are packed once for all readers`() throws {
        let padding = String(repeating: "<p>again</p>", count: 500)
        var renderer = PageRenderer(try Table.page(padding: padding), epoch: "e")
        var pages: [RenderedPage] = []
        for version in 0..<4 {
            var table = Table()
            table.ticks = version
            table.hasNote = version == 3
            pages.append(try renderer.render(table, version: CommitVersion(version)))
        }
        // Any pieces one after another are what they say, whoever had them first.
        for first in 0..<4 {
            var stream = Gzip.begin(with: ByteBuffer(string: "retry: 1000\n\n"))
            var text = "retry: 1000\n\n"
            for index in first..<4 {
                let known = index == first ? nil : pages[index - 1].id
                let piece = try #require(pages[index].event(after: known, isPacked: true))
                let again = try #require(pages[index].event(after: known, isPacked: true))
                #expect(Self.storage(of: piece) == Self.storage(of: again))
                stream.writeImmutableBuffer(piece)
                text += String(buffer: try #require(pages[index].event(after: known)))
            }
            #expect(stream.readableBytes < text.utf8.count / 2)
            #expect(try unpack(stream) == text)
        }
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 65_535, 65_536, 200_000])
    func `a piece of any size is what it was made from`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        for piece in [Gzip.stored, Gzip.piece] {
            var stream = Gzip.begin(with: ByteBuffer(string: "a"))
            stream.writeImmutableBuffer(piece(ByteBuffer(bytes: bytes)))
            stream.writeImmutableBuffer(Gzip.stored(ByteBuffer(string: "z")))
            #expect(try unpackBytes(stream) == [0x61] + bytes + [0x7A])
        }
    }

    private static func storage(of buffer: ByteBuffer) -> Int {
        buffer.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) }
    }
}

extension TestResponse {
    /// The text of a packed answer.
    func unpacked() throws -> String { try unpack(body) }
}

private func unpack(_ bytes: ByteBuffer) throws -> String {
    String(decoding: try unpackBytes(bytes), as: UTF8.self)
}

/// What a browser makes of the beginning of a packed answer.
private func unpackBytes(_ bytes: ByteBuffer) throws -> [UInt8] {
    let channel = EmbeddedChannel(handler: NIOHTTPResponseDecompressor(limit: .none))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    try channel.writeOutbound(
        HTTPClientRequestPart.head(.init(version: .http1_1, method: .GET, uri: "/")))
    let headers: HTTPHeaders = [
        "content-encoding": "gzip", "content-length": "\(bytes.readableBytes)",
    ]
    try channel.writeInbound(
        HTTPClientResponsePart.head(.init(version: .http1_1, status: .ok, headers: headers)))
    try channel.writeInbound(HTTPClientResponsePart.body(bytes))
    var text: [UInt8] = []
    while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
        if case .body(let buffer) = part { text += buffer.readableBytesView }
    }
    return text
}
#endif
