// SPDX-License-Identifier: MIT
#if Server

/// Who visits: 128 random bits, which the visitor's browser keeps in a cookie.
///
/// It is a secret: whoever knows it is that visitor. So it isn't printed, and a file should be named by
/// its ``fileName``.
public struct VisitorID: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// 32 hexadecimal digits.
    let cookie: String

    /// A new visitor's.
    public init() { cookie = RandomID().description }

    /// The one that a cookie spells; nil if it spells none.
    init?(cookie: String) {
        let digits = cookie.utf8
        guard digits.count == 32,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.cookie = cookie
    }

    /// A name for what belongs to the visitor: 32 hexadecimal digits.
    public var fileName: String { cookie }

    /// Nothing that tells who it is.
    public var description: String { "a visitor" }

    /// Nothing that tells who it is.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
