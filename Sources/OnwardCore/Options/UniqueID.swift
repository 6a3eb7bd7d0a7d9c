// SPDX-License-Identifier: MIT

/// An id that no other id equals, in the form of a random UUID (RFC 9562, version 4).
public struct UniqueID: Sendable, Hashable, LosslessStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// An id made from 122 of the random bits.
    init(_ high: UInt64, _ low: UInt64) {
        self.high = high & ~0xF000 | 0x4000
        self.low = low & ~(0b11 << 62) | 0b10 << 62
    }

    /// Creates an id that shows a number: `00000000-0000-4000-8000-000000000001` for 1.
    ///
    /// For tests and examples, together with ``IDSource/numbered()``.
    public init(number: UInt64) {
        self.init(number >> 62, number)
    }

    /// Creates an id from its text form, in lowercase or uppercase; nil if it is not a valid id.
    public init?(_ description: String) {
        let groups = description.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = groups.joined()
        guard digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.dropFirst(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    /// The text form: 32 lowercase digits and four hyphens.
    public var description: String {
        let digits = Self.digits(high) + Self.digits(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension UniqueID: Codable {
    /// Reads the text form; throws `DecodingError.dataCorrupted` if it is not a valid id.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = UniqueID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text.prefix(80))\" is no UUID.")
        }
        self = id
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
