// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import OnwardJournal

/// The checks that a request must pass before its purpose is considered.
struct RequestChecks: Sendable {
    /// The largest body, in bytes.
    static let bodyLimit = 64 * 1_024

    let hostNames: Set<String>

    /// Rejects a host name that isn't ours, as when a foreign name points to this machine, and a
    /// request that doesn't name exactly one (RFC 9112 § 3.2).
    func checkHost(_ request: Request) throws(Rejection) {
        // The first `Host` is the authority; any left among the headers is another one.
        guard let authority = request.head.authority, request.headers[.host] == nil,
            let host = Self.host(of: authority)
        else { throw .notOneHost }
        guard hostNames.contains(host) else { throw .badHost }
    }

    /// Rejects an address whose query can't be read.
    func checkQuery(_ request: Request) throws(Rejection) {
        guard let query = request.uri.query, PercentEncoding.decode(query) == nil else { return }
        throw Rejection(.badRequest, "The address can't be read.")
    }

    /// Rejects a body that is encoded in any way but chunked (RFC 9112 § 6.1).
    func checkEncoding(_ request: Request) throws(Rejection) {
        let codings = request.headers[values: .transferEncoding]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }), codings.count < 2 else {
            throw Rejection(
                .notImplemented, "A body can be sent in chunks, and in no other coding.")
        }
    }

    /// Rejects a body where none is read (RFC 9110 § 9.3.1), and closes its connection afterwards.
    func checkBody(_ request: Request) throws(Rejection) {
        guard request.method == .get || request.method == .head else { return }
        let length = request.headers[.contentLength]
        guard request.headers[.transferEncoding] == nil, length == nil || length == "0" else {
            throw Rejection(.badRequest, "A \(request.method) has no body.")
        }
    }

    /// Rejects what a foreign site sends.
    ///
    /// Browsers send `ActionOrigin` with every POST; its host and port must be those that the request
    /// went to. Other clients may omit it.
    func checkOrigin(_ request: Request) throws(Rejection) {
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" {
            throw .foreignOrigin
        }
        guard let origin = request.headers[.origin] else { return }
        let parts = origin.split(separator: "://", maxSplits: 1)
        guard parts.count == 2, parts[0] == "http" || parts[0] == "https",
            parts[1].lowercased() == request.head.authority?.lowercased()
        else { throw .foreignOrigin }
    }

    /// The page for a person whom a link of another site has led here, with a link to go on; nil
    /// for a request of this site.
    ///
    /// - Throws: ``Rejection`` for any other request of a foreign site.
    func entrance(to request: Request) throws(Rejection) -> Response? {
        do throws(Rejection) {
            try checkOrigin(request)
            return nil
        } catch {
            guard request.isForeignNavigation else { throw error }
            return .entrance(to: request)
        }
    }

    /// Reads the content of a post according to its content type.
    ///
    /// One that claims to be compressed isn't read as if it weren't (RFC 9110 § 8.4).
    func readBody(_ request: Request) async throws -> DataValue {
        guard let type = request.headers[.contentType],
            request.headers[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true
        else { throw Rejection.badContentType }
        let parts = type.lowercased().split(separator: ";").map { $0.trimming(" ") }
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }
        guard charset == nil || charset == "charset=utf-8" || charset == "charset=\"utf-8\"" else {
            throw Rejection.badContentType
        }
        let bytes: [UInt8]
        do {
            bytes = try await collect(request, limit: Self.bodyLimit)
        } catch let rejection as Rejection {
            throw rejection
        } catch {
            // The connection broke off, or its chunks aren't chunks.
            throw Rejection.brokenBody
        }
        switch parts.first {
        case "application/json": return try DataValue(json: bytes)
        case "application/x-www-form-urlencoded": return try DataValue(form: bytes)
        default: throw Rejection.badContentType
        }
    }

    /// The boundary of a form with files; nil for any other body.
    ///
    /// - Throws: ``Rejection`` if its type can't be read, or it claims to be compressed.
    func multipartBoundary(of request: Request) throws(Rejection) -> String? {
        guard let type = request.headers[.contentType],
            type.lowercased().hasPrefix("multipart/form-data")
        else { return nil }
        guard request.headers[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true,
            let value = try? HeaderValue(type), value.word == "multipart/form-data",
            let boundary = value.parameters["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .badContentType }
        return boundary
    }

    /// The bytes of a body.
    func collect(_ request: Request, limit: Int) async throws -> [UInt8] {
        // A length that isn't a number never gets this far; one too large for an integer does.
        if let length = request.headers[.contentLength], Int(length) ?? .max > limit {
            throw Rejection.tooLarge(limit)
        }
        var bytes: [UInt8] = []
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= limit else {
                throw Rejection.tooLarge(limit)
            }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    /// The host of `host:port`, in lower case; an IPv6 address keeps its brackets.
    ///
    /// Nil if the port is not a number (RFC 9110 § 7.2).
    private static func host(of authority: String) -> String? {
        let authority = authority.lowercased()
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return authority.isEmpty ? nil : authority
        }
        let port = authority[colon...].dropFirst()
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(authority[..<colon])
    }
}

extension Substring {
    /// The text without a character at either end.
    fileprivate func trimming(_ character: Character) -> Substring {
        var text = self
        while text.first == character { text.removeFirst() }
        while text.last == character { text.removeLast() }
        return text
    }
}
#endif
