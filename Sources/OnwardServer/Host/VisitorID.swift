// SPDX-License-Identifier: MIT
#if Server

/// The identity of a visitor: 128 random bits, which the visitor's browser keeps in a cookie.
///
/// It is a secret: whoever knows it is that visitor. So it isn't printed, and a file should be named by
/// its ``fileName``.
public struct VisitorID: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A name for what belongs to the visitor: 32 hexadecimal digits.
    public let fileName: String
    /// Names the visitor in its own pages, where scripts may read it; says nothing of the secret.
    let tag: String

    /// A new visitor's.
    public init() {
        fileName = RandomID().description
        tag = String(RandomID().description.prefix(Self.tagLength))
    }

    /// The visitor that a cookie names; nil if it names none.
    init?(cookie: some StringProtocol) {
        let digits = cookie.utf8
        guard digits.count == 33 + Self.tagLength else { return nil }
        for (index, digit) in digits.enumerated() {
            let isDigit = (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit)
            guard index == 32 ? digit == UInt8(ascii: "-") : isDigit else { return nil }
        }
        fileName = String(cookie.prefix(32))
        tag = String(cookie.suffix(Self.tagLength))
    }

    private static let tagLength = 16

    /// What the browser keeps: the secret and the tag.
    var cookie: String { "\(fileName)-\(tag)" }

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
