// SPDX-License-Identifier: MIT
#if Server

/// The names of an app's cookies.
///
/// Browsers send a cookie to all ports of its host, which other apps may use.
enum CookieName {
    /// A name that includes the port of an address such as `localhost:8080`, if it has one.
    static func at(_ authority: String, _ name: String) -> String {
        let port = authority.split(separator: "]").last?.split(separator: ":").dropFirst().last
        return plain(name + (port.map { "-\($0)" } ?? ""))
    }

    /// The part of a name that is allowed in a token: the rest would end the cookie early (RFC 6265
    /// § 4.1.1, RFC 9110 § 5.6.2).
    static func plain(_ name: String) -> String {
        String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    }
}
#endif
