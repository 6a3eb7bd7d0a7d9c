// SPDX-License-Identifier: MIT
#if Server

/// The identity of a visitor: 128 random bits that the visitor's browser keeps in a cookie.
///
/// It is a secret: whoever knows it is that visitor. So it isn't printed, and the visitor's data is
/// named by its ``fileName``, from which the secret can't be derived.
public struct VisitorID: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A name for the visitor's data: 32 hexadecimal digits, a digest of the secret.
    public let fileName: String
    /// Identifies the visitor to scripts in its own pages; another digest of the secret.
    let tag: String
    private let secret: String

    /// Creates the id of a new visitor.
    public init() { self.init(secret: RandomID().description) }

    /// Reads the visitor from a cookie; nil if the cookie names none.
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
        String(SHA256.hash(of: Array(text.utf8)).hexadecimal.prefix(length))
    }

    private static let tagLength = 16

    /// The contents of the cookie: the secret, and its tag.
    var cookie: String { "\(secret)-\(tag)" }

    /// A text that doesn't reveal the visitor.
    public var description: String { "a visitor" }

    /// A mirror that doesn't reveal the visitor.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether both are the same visitor.
    public static func == (left: Self, right: Self) -> Bool { left.fileName == right.fileName }

    /// Hashes what distinguishes visitors.
    public func hash(into hasher: inout Hasher) { hasher.combine(fileName) }
}
#endif
