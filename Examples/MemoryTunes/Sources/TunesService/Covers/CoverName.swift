// SPDX-License-Identifier: MIT

/// The name of a cover's picture within the app: 32 hexadecimal digits that follow from its address.
public struct CoverName: Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    public let description: String

    /// The name of the picture at an address.
    public init(address: String) {
        description = Fingerprint(address.utf8).description
    }

    /// The name that a text spells; nil if it spells none.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = String(text)
    }
}
