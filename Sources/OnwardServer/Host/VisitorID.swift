// SPDX-License-Identifier: MIT
#if Server

import Crypto

/// The identity of a visitor: 128 random bits, which the visitor's browser keeps in a cookie.
///
/// It is a secret: whoever knows it is that visitor. So it isn't printed, and what belongs to the visitor is
/// named by its ``fileName``, from which the secret can't be found.
public struct VisitorID: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A name for what belongs to the visitor: 32 hexadecimal digits, a digest of the secret.
    public let fileName: String
    /// Names the visitor in its own pages, where scripts may read it; another digest of the secret.
    let tag: String
    private let secret: String

    /// A new visitor's.
    public init() { self.init(secret: RandomID().description) }

    /// The visitor that a cookie names; nil if it names none.
    init?(cookie: some StringProtocol) {
        let digits = cookie.utf8
        guard digits.count == 33 + Self.tagLength else { return nil }
        for (index, digit) in digits.enumerated() {
            let isDigit = (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit)
            guard index == 32 ? digit == UInt8(ascii: "-") : isDigit else { return nil }
        }
        self.init(secret: String(cookie.prefix(32)))
        guard cookie.suffix(Self.tagLength) == tag else { return nil }
    }

    private init(secret: String) {
        self.secret = secret
        fileName = Self.digest(of: "file \(secret)", length: 32)
        tag = Self.digest(of: "tag \(secret)", length: Self.tagLength)
    }

    private static func digest(of text: String, length: Int) -> String {
        String(SHA256.hash(data: Array(text.utf8)).hexadecimal.prefix(length))
    }

    private static let tagLength = 16

    /// What the browser keeps: the secret, and the tag that belongs to it.
    var cookie: String { "\(secret)-\(tag)" }

    /// Nothing that says who it is.
    public var description: String { "a visitor" }

    /// Nothing that says who it is.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether both are the same visitor.
    public static func == (left: Self, right: Self) -> Bool { left.fileName == right.fileName }

    /// Hashes what distinguishes visitors.
    public func hash(into hasher: inout Hasher) { hasher.combine(fileName) }
}
#endif
