// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Compression for browsers that accept it (`Content-Encoding: gzip`, RFC 1952).
///
/// An event goes to many readers that started at different times. So a stream isn't compressed as
/// one text, which would take a quarter of a megabyte and the same work for each of them. It is a
/// ``head`` followed by pieces that refer to nothing before them and end at a whole byte: each is
/// made once and sent to all.
enum Gzip {
    /// Compressing less than this many bytes isn't worthwhile.
    static let least = 1_024

    /// The beginning of a stream of pieces (RFC 1952 § 2.3.1).
    static let head = ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

    /// A complete answer; nil if it doesn't get smaller.
    static func pack(_ bytes: ByteBuffer) -> ByteBuffer? {
        guard bytes.readableBytes >= least, let packed = compress(bytes, isWhole: true),
            packed.readableBytes < bytes.readableBytes
        else { return nil }
        return packed
    }

    /// The beginning of a stream that contains some bytes uncompressed.
    static func begin(with bytes: ByteBuffer) -> ByteBuffer {
        var beginning = head
        beginning.writeImmutableBuffer(stored(bytes))
        return beginning
    }

    /// A piece of a stream, compressed if that is worthwhile.
    static func piece(_ bytes: ByteBuffer) -> ByteBuffer {
        guard bytes.readableBytes >= least, var packed = compress(bytes, isWhole: false),
            packed.readSlice(length: head.readableBytes) != nil
        else { return stored(bytes) }
        return packed
    }

    /// A piece of a stream, uncompressed (RFC 1951 § 3.2.4).
    static func stored(_ bytes: ByteBuffer) -> ByteBuffer {
        var (rest, blocks) = (bytes, ByteBuffer())
        while let block = rest.readSlice(length: min(rest.readableBytes, Int(UInt16.max))),
            block.readableBytes > 0
        {
            let length = UInt16(block.readableBytes)
            blocks.writeInteger(UInt8(0))
            blocks.writeInteger(length, endianness: .little)
            blocks.writeInteger(~length, endianness: .little)
            blocks.writeImmutableBuffer(block)
        }
        return blocks
    }

    /// What the library's handler makes of an answer; if it continues, up to a whole byte.
    private static func compress(_ bytes: ByteBuffer, isWhole: Bool) -> ByteBuffer? {
        let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let request = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/", headers: ["accept-encoding": "gzip"])
        do {
            try channel.writeInbound(HTTPServerRequestPart.head(request))
            let head = HTTPResponseHead(version: .http1_1, status: .ok)
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
            if isWhole { channel.write(HTTPServerResponsePart.end(nil), promise: nil) }
            channel.flush()
            var packed = ByteBuffer()
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                if case .body(.byteBuffer(var piece)) = part { packed.writeBuffer(&piece) }
            }
            return packed
        } catch {
            return nil
        }
    }
}

extension Request {
    /// Whether its sender accepts a compressed answer (RFC 9110 § 12.5.3).
    var acceptsGzip: Bool {
        headers[values: .acceptEncoding].contains { list in
            list.lowercased().split(separator: ",").contains { coding in
                let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
                return parts.first == "gzip" && weight.map { (Double($0) ?? 0) > 0 } ?? true
            }
        }
    }
}
#endif
