// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer
@testable import TestSupport

@Suite struct `Forms in parts` {
    /// What a body has, however its contents were cut.
    private struct Part: Equatable {
        let name: String
        var fileName: String?
        var content: [UInt8] = []
    }

    private static let boundary = "----form7MA4YWxk"

    private static func body(_ parts: [Part], boundary: String = boundary) -> [UInt8] {
        parts.flatMap { part in
            let file = part.fileName.map { "; filename=\"\($0)\"" } ?? ""
            let head = "Content-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n"
            return Array("--\(boundary)\r\n\(head)\r\n".utf8) + part.content + Array("\r\n".utf8)
        } + Array("--\(boundary)--\r\n".utf8)
    }

    /// Reads pieces, and looks at what the parser keeps meanwhile.
    private static func read(
        _ pieces: [ArraySlice<UInt8>], boundary: String = boundary, kept: inout Int
    ) throws -> [Part] {
        var parser = MultipartParser(boundary: boundary)
        var parts: [Part] = []
        var isOpen = false
        for piece in pieces {
            for event in try parser.read(piece) {
                switch event {
                case .part(let head):
                    #expect(!isOpen)
                    isOpen = true
                    parts.append(Part(name: head.name, fileName: head.fileName))
                case .content(let bytes):
                    #expect(isOpen && !bytes.isEmpty)
                    parts[parts.count - 1].content += bytes
                case .end:
                    #expect(isOpen)
                    isOpen = false
                }
            }
            kept = max(kept, parser.kept)
        }
        try parser.finish()
        return parts
    }

    private static func read(_ body: [UInt8], boundary: String = boundary) throws -> [Part] {
        var kept = 0
        return try read([body[...]], boundary: boundary, kept: &kept)
    }

    private static func cut(
        _ body: [UInt8], upTo size: Int, _ random: inout SeededGenerator
    ) -> [ArraySlice<UInt8>] {
        var (pieces, rest) = ([ArraySlice<UInt8>](), body[...])
        while !rest.isEmpty {
            let count = Int.random(in: 0...size, using: &random)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// Content that is as like a boundary as can be.
    private static func content(_ random: inout SeededGenerator) -> [UInt8] {
        let pieces = [
            "\r", "\n", "\r\n", "-", "--", "--\(boundary)", "\r\n--\(boundary)x",
            "\r\n--\(boundary)-x", "\r\n--\(boundary) x", "\r\n--\(boundary)\r",
            "\r\n--\(boundary.dropLast())",
            "\r\n\r\n", "\u{0}é", "text",
        ]
        while true {
            let content = chosen(from: pieces, &random)
            // What was put together may have become a boundary.
            if !isBoundary(in: content) { return content }
        }
    }

    private static func chosen(
        from pieces: [String], _ random: inout SeededGenerator
    ) -> [UInt8] {
        let count = Int.random(in: 0...12, using: &random)
        return (0..<count).flatMap { _ in
            Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8)
        }
    }

    private static func isBoundary(in content: [UInt8]) -> Bool {
        let line = Array("\r\n--\(boundary)".utf8)
        return content.indices.contains { start in
            let rest = content[start...]
            guard rest.starts(with: line) else { return false }
            let end = rest.dropFirst(line.count)
            return end.starts(with: "--".utf8)
                || end.drop { $0 == UInt8(ascii: " ") }.starts(with: "\r\n".utf8)
        }
    }

    @Test func `the parts are the same however a body is cut into pieces`() throws {
        var random = SeededGenerator(seed: 52)
        for _ in 0..<60 {
            let parts = (0..<Int.random(in: 1...5, using: &random)).map { number in
                // A last piece of its own, as what was put together could become a boundary.
                Part(
                    name: "field\(number)", fileName: number.isMultiple(of: 2) ? "é.png" : nil,
                    content: Self.content(&random) + Array("|".utf8))
            }
            let body = Self.body(parts)
            for size in [1, 7, 100] {
                var kept = 0
                let pieces = Self.cut(body, upTo: size, &random)
                let read = try Self.read(pieces, kept: &kept)
                #expect(read == parts)
                #expect(kept <= 200 + size)
            }
        }
    }

    @Test func `a body that ends early is incomplete wherever it ends`() throws {
        let body = Self.body([Part(name: "a", content: [1, 2]), Part(name: "b", fileName: "c")])
        for end in 0..<(body.count - 2) {
            #expect(throws: MultipartError.truncated) { try Self.read(Array(body[..<end])) }
        }
        #expect(throws: Never.self) { try Self.read(Array(body.dropLast(2))) }
    }

    @Test func `what isn't a form is refused soon, and little of it is kept`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            var kept = 0
            #expect(throws: MultipartError.noBoundary) {
                try Self.read(Self.cut(noise, upTo: 5_000, &random), kept: &kept)
            }
            #expect(kept <= 6_100)
        }
    }

    @Test func `a large file passes through in pieces`() throws {
        let file = Array(repeating: UInt8(ascii: "\r"), count: 300_000)
        var random = SeededGenerator(seed: 1)
        var kept = 0
        let body = Self.body([Part(name: "a", fileName: "b", content: file)])
        let parts = try Self.read(Self.cut(body, upTo: 4_000, &random), kept: &kept)
        #expect(parts[0].content == file)
        #expect(kept < 4_200)
    }

    @Test(arguments: [1, 17, 100_000])
    func `a head has its largest size, in whatever pieces it comes`(size: Int) throws {
        let head = "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"a\"; x=\""
        let endless = Array((head + String(repeating: "y", count: 50_000)).utf8)
        var random = SeededGenerator(seed: 3)
        var kept = 0
        #expect(throws: MultipartError.headTooLarge) {
            try Self.read(Self.cut(endless, upTo: size, &random), kept: &kept)
        }
        #expect(kept <= MultipartParser.headLimit + size + 100)
    }

    @Test(arguments: [
        ("\r\ncontent", MultipartError.noName),
        ("Content-Type: text/plain\r\n\r\n", .noName),
        ("Content-Disposition: form-data\r\n\r\n", .noName),
        ("Content-Disposition: form-data; name=\"\"\r\n\r\n", .noName),
        ("Content-Disposition: attachment; name=\"a\"\r\n\r\n", .noName),
        ("Content-Disposition: form-data; name=\"a\r\n\r\n", .badHead),
        ("Content-Disposition: form-data; name\r\n\r\n", .badHead),
        ("Content-Disposition form-data\r\n\r\n", .badHead),
        (": form-data\r\n\r\n", .badHead),
        (
            "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\n",
            .badHead
        ),
    ])
    func `a part without a readable name is refused`(head: String, error: MultipartError) {
        #expect(throws: error) {
            try Self.read(Array("--\(Self.boundary)\r\n\(head)\r\n--\(Self.boundary)--".utf8))
        }
    }

    @Test func `a head that isn't UTF-8 is refused`() {
        let head = Array("--b\r\nContent-Disposition: form-data; name=\"".utf8) + [0xFF]
        #expect(throws: MultipartError.badHead) {
            try Self.read(head + Array("\"\r\n\r\n\r\n--b--".utf8), boundary: "b")
        }
    }

    @Test(arguments: [
        (#"form-data; name="a""#, "a", nil), (#"FORM-DATA;NAME=a;filename=b.c"#, "a", "b.c"),
        (#"form-data; name="a"; filename="""#, "a", ""),
        (#"form-data; name="a"; filename="x%22y%0D%0A%41%.png""#, "a", "x\"y\r\n%41%.png"),
        (#"form-data; name="a"; filename="C:\folder\x \"y\".png""#, "a", #"C:\folder\x "y".png"#),
        (#"form-data; name="a"; filename="; name=b""#, "a", "; name=b"),
        (#"form-data; name="a"; filename="b"; filename="c""#, "a", "b"),
        (#"form-data; name="a"; filename*=UTF-8''evil"#, "a", nil),
        ("form-data; name=\"a\"; filename=\"\u{301}b\"", "a", "\u{301}b"),
    ])
    func `names are read as browsers write them`(value: String, name: String, fileName: String?)
        throws
    {
        let head = try MultipartHead(Array("Content-Disposition: \(value)".utf8))
        #expect(head == MultipartHead(name: name, fileName: fileName))
    }
}
#endif
