// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird

/// What a client must present to be let in; see ``ServerOptions/accessToken``.
struct AccessToken: Sendable {
    private let token: String
    /// The contents of the cookie: a secret that lets in a browser, and doesn't reveal the token.
    private let pass: String
    /// Whether its cookie is withheld from plain HTTP.
    private let isSecure: Bool

    /// Creates a token; nil if none is required.
    init?(_ token: String?, isSecure: Bool) {
        guard let token, !token.isEmpty else { return nil }
        self.token = token
        pass = SHA256.hash(of: Array("access \(token)".utf8)).hexadecimal
        self.isSecure = isSecure
    }

    /// Admits a request.
    ///
    /// - Returns: For a browser that comes with the token in its address, a redirect to the same
    ///   address without it, and a cookie; nil for a request that is answered as usual.
    /// - Throws: ``Rejection`` if the token is missing or wrong.
    func admit(_ request: Request) throws(Rejection) -> Response? {
        if request.method == .get, let entrance = entrance(request) { return entrance }
        let bearer = request.headers[.authorization].flatMap { value in
            value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
        }
        guard bearer.map(isToken) ?? false || cookies(of: request).contains(where: isPass) else {
            throw .noToken
        }
        return nil
    }

    private func entrance(_ request: Request) -> Response? {
        let fields = (request.uri.query ?? "").split(separator: "&")
        guard let field = fields.first(where: { $0.hasPrefix("token=") }),
            isToken(String(field.dropFirst(6)))
        else { return nil }
        let rest = fields.filter { $0 != field }.joined(separator: "&")
        // A path that begins with two slashes would name another host.
        let path = "/" + request.uri.path.drop { $0 == "/" }
        let attributes = "Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
        return Response(
            status: .seeOther,
            headers: [
                .location: path + (rest.isEmpty ? "" : "?\(rest)"),
                .setCookie: "\(cookieName(for: request))=\(pass); \(attributes)",
            ])
    }

    private func cookieName(for request: Request) -> String {
        CookieName.at(request.head.authority ?? "", "onward-access")
    }

    private func cookies(of request: Request) -> [String] {
        let name = cookieName(for: request)
        return request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap {
            pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else {
                return nil
            }
            return String(parts[1])
        }
    }

    private func isToken(_ text: String) -> Bool { Self.isSame(token, text) }

    private func isPass(_ text: String) -> Bool { Self.isSame(pass, text) }

    /// Whether two texts are the same; the time this takes reveals only how long they are.
    private static func isSame(_ secret: String, _ text: String) -> Bool {
        let (mine, others) = (Array(secret.utf8), Array(text.utf8))
        guard mine.count == others.count else { return false }
        return zip(mine, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
#endif
