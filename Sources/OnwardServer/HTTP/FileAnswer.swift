// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

/// A file as a request asks for it: all of it, a part, or only that it is unchanged.
struct FileAnswer {
    /// The content, which may be compressed as `headers` say.
    let body: ByteBuffer
    /// Identifies the content; nil if nothing does.
    let tag: String?
    /// Its type and how long it may be kept.
    var headers: HTTPFields

    /// The answer to a GET or HEAD.
    ///
    /// A part is one range of bytes (RFC 9110 § 14), as players of audio and video ask for it; of
    /// several ranges the whole file is sent, which is allowed.
    func response(to request: Request) -> Response {
        var headers = headers
        headers[.acceptRanges] = "bytes"
        if let tag {
            headers[.eTag] = "\"\(tag)\""
            if request.has(tag) { return Response(status: .notModified, headers: headers) }
        }
        switch request.range(of: body.readableBytes, tag: tag) {
        case .whole:
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        case .part(let range):
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.readableBytes)"
            let part = body.getSlice(
                at: body.readerIndex + range.lowerBound, length: range.count)
            return Response(
                status: .partialContent, headers: headers,
                body: ResponseBody(byteBuffer: part ?? ByteBuffer()))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(body.readableBytes)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }
}

/// What a request asks for of a file.
enum ByteRange: Hashable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Reads the header `Range` for a file of some bytes; what isn't one range of bytes is ignored.
    init(_ header: String, of size: Int) {
        self = .whole
        let parts = header.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
        let bounds = parts[1].filter { $0 != " " && $0 != "\t" }
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]),
            let last = Self.number(bounds[1])
        else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?):
            self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
        case (let first?, let last):
            if let last, last < first { return }
            self =
                first >= size
                ? .unsatisfiable : .part(first..<min(last ?? size - 1, size - 1) + 1)
        }
    }

    /// A bound, which may be left out; nil if it is no number.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .some(Int(text) ?? .max)
    }
}

extension Request {
    /// Whether the sender holds the content with a tag (RFC 9110 § 13.1.2: weak comparison).
    func has(_ tag: String) -> Bool {
        headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { candidate in
            var candidate = candidate.drop { $0 == " " }
            while candidate.last == " " { candidate.removeLast() }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == "*" || candidate == "\"\(tag)\""
        }
    }

    /// Whether it asks for a part of the content with a tag, or whatever there is.
    fileprivate func range(of size: Int, tag: String?) -> ByteRange {
        guard method == .get, let header = headers[.range] else { return .whole }
        // A part of other content than the one that the sender has is of no use (strong comparison).
        if let held = headers[.ifRange], tag.map({ held == "\"\($0)\"" }) != true { return .whole }
        return ByteRange(header, of: size)
    }
}
#endif
