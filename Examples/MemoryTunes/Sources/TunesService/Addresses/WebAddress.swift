// SPDX-License-Identifier: MIT

/// An absolute address of the web, parsed so strictly that no other reader takes it otherwise.
///
/// Only `http` and `https`, no user name, no host but plain names and IP addresses, nothing but
/// printable ASCII, at most 2,048 characters. ``description`` is the address put together again from
/// its parts: what is checked is what is asked.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host and port: who is asked.
    struct Origin: Hashable, Sendable {
        let isSecure: Bool
        let host: String
        let port: Int
        /// The address that the host spells; nil for a name.
        let literal: IPAddress?
    }

    let origin: Origin
    /// Path and query, beginning with "/".
    let target: String

    private init(_ origin: Origin, target: String) {
        self.origin = origin
        self.target = target.first == "/" ? target : "/" + target
    }

    /// Reads an address; nil if it isn't one that may be asked.
    public init?(_ text: String) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("\\"), let colon = text.firstRange(of: "://")
        else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[colon.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let origin = Origin(isSecure: scheme == "https", authority) else { return nil }
        self.init(origin, target: String(rest[authority.endIndex...]))
    }

    /// The address that a link on this one leads to (RFC 3986 § 5.2, without removal of dots).
    func following(_ link: String) -> WebAddress? {
        if let absolute = WebAddress(link) { return absolute }
        let scheme = origin.isSecure ? "https:" : "http:"
        if link.hasPrefix("//") { return WebAddress(scheme + link) }
        // Another scheme is no relative link.
        guard !link.prefix(while: { !"/?#".contains($0) }).contains(":") else { return nil }
        let path = target.prefix { $0 != "?" }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        let base =
            switch link.first {
            case "/", nil: ""
            case "?": String(path)
            default: String(folder)
            }
        return WebAddress("\(root)\(base)\(link)")
    }

    /// The whole address, with its port.
    public var description: String { root + target }

    private var root: String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return "\(origin.isSecure ? "https" : "http")://\(host):\(origin.port)"
    }
}

extension WebAddress.Origin {
    fileprivate init?(isSecure: Bool, _ authority: Substring) {
        var host = authority.lowercased()[...]
        var port = isSecure ? 443 : 80
        let afterBracket = host.lastIndex(of: "]") ?? host.startIndex
        if let colon = host[afterBracket...].lastIndex(of: ":") {
            let digits = host[host.index(after: colon)...]
            guard (1...5).contains(digits.count), digits.allSatisfy(\.isNumber),
                let number = Int(digits), (1...65_535).contains(number)
            else { return nil }
            port = number
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard let literal = IPAddress(v6: host.dropFirst().dropLast()) else { return nil }
            self.init(isSecure: isSecure, host: literal.description, port: port, literal: literal)
            return
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, let last = labels.last,
            labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy(\.isHostCharacter) })
        else { return nil }
        // A host that ends in a number is an address or nothing (URL Standard § 3.5).
        if last.first?.isNumber == true, last.allSatisfy(\.isHexDigit) || last.hasPrefix("0x") {
            guard let literal = IPAddress(v4: host) else {
                guard last.contains(where: { !$0.isNumber }), !last.hasPrefix("0x") else {
                    return nil
                }
                self.init(isSecure: isSecure, host: String(host), port: port, literal: nil)
                return
            }
            self.init(isSecure: isSecure, host: literal.description, port: port, literal: literal)
            return
        }
        self.init(isSecure: isSecure, host: String(host), port: port, literal: nil)
    }
}

extension Character {
    fileprivate var isHostCharacter: Bool {
        isASCII && (isLetter || isNumber || self == "-" || self == "_")
    }
}
