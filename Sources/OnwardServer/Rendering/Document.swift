// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import NIOCore
import Onward

/// A document for one reader: bytes shared by all, and a fresh request id in each form.
struct Document: Sendable {
    /// The shared bytes; the same object means the same document.
    let shared: SharedBytes
    /// The end of each id: the version since which the form may have been sent.
    private let suffix: String

    init(_ shared: SharedBytes, since version: CommitVersion? = nil) {
        self.shared = shared
        suffix = version.map { "-v\($0)" } ?? ""
    }

    /// Creates a document that nobody shares.
    init(_ bytes: ByteBuffer) { self.init(SharedBytes([bytes])) }

    /// Its size in bytes.
    var size: Int {
        shared.size + (shared.pieces.count - 1) * (RandomID.length + suffix.utf8.count)
    }

    /// All of it.
    var bytes: ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: size)
        var ids = RequestIDs(suffix)
        for (index, piece) in shared.pieces.enumerated() {
            if index > 0 { ids.writeNext(to: &bytes) }
            bytes.writeImmutableBuffer(piece)
        }
        return bytes
    }

    /// Writes the document as the reader accepts it, so that little of it is copied for a slow one.
    ///
    /// Long pieces are written as they are. A connection accepts some of what comes before it
    /// reports that it is full, so only short pieces are copied, together.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        var short = ByteBuffer()
        var ids = RequestIDs(suffix)
        for (index, piece) in shared.pieces.enumerated() {
            if index > 0 { ids.writeNext(to: &short) }
            let isLong = piece.readableBytes > Self.chunk / 8
            if !isLong { short.writeImmutableBuffer(piece) }
            if isLong || short.readableBytes >= Self.chunk {
                if short.readableBytes > 0 { try await writer.write(short) }
                short.clear()
            }
            guard isLong else { continue }
            var rest = piece
            while let part = rest.readSlice(length: min(rest.readableBytes, Self.chunk)),
                part.readableBytes > 0
            {
                try await writer.write(part)
            }
        }
        if short.readableBytes > 0 { try await writer.write(short) }
    }

    /// How many bytes are passed to a connection at a time.
    static let chunk = 32 * 1_024

    /// The ids of one document's forms: 96 random bits that nobody else can guess, and a number.
    ///
    /// A page may have 20,000 forms, which would need as many random numbers from the system.
    private struct RequestIDs {
        private let beginning: String
        private let suffix: String
        private var count: UInt32 = 0

        init(_ suffix: String) {
            beginning = String(RandomID().description.dropLast(8))
            self.suffix = suffix
        }

        mutating func writeNext(to bytes: inout ByteBuffer) {
            bytes.writeString(beginning)
            for shift in stride(from: UInt32(28), through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: count >> shift) & 0xF
                bytes.writeInteger(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
            bytes.writeString(suffix)
            count += 1
        }
    }

    /// The bytes of a document, split where each reader gets its own request id.
    final class SharedBytes: Sendable {
        /// At least one.
        let pieces: [ByteBuffer]
        let size: Int

        init(_ pieces: [ByteBuffer]) {
            self.pieces = pieces
            size = pieces.reduce(0) { $0 + $1.readableBytes }
        }
    }
}

extension Backlog {
    /// The body of an answer with a document; a large one counts as waiting until it is taken.
    ///
    /// `cut` cuts the reader off.
    func body(of document: Document, cut: @escaping @Sendable () -> Void) -> ResponseBody {
        guard document.size > Document.chunk else {
            return ResponseBody(byteBuffer: document.bytes)
        }
        return ResponseBody(contentLength: document.size) { writer in
            let wait = self.begin(document.shared, size: document.size, cut: cut)
            defer { self.end(wait) }
            try await document.write(to: &writer)
            try await writer.finish(nil)
        }
    }
}
#endif
