// SPDX-License-Identifier: MIT

/// Identifies an entry uniquely, across all journals and whatever its position.
///
/// If the action came with a request, this is the id of that request, so that a request that
/// arrives twice can be recognized.
///
/// An id stands for everything before its entry: a reader who finds it knows the log up to there.
/// So no two entries may have the same id after different logs. If several nodes write a log, the
/// id of an entry is that of the request mixed with the epoch in which it was decided: a request
/// that runs again because its entry was lost leaves an entry with another id.
public struct EntryID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes, as a number in network order.
    public let high: UInt64
    /// The last eight bytes, as a number in network order.
    public let low: UInt64

    /// A new random id.
    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(high: random.next(), low: random.next())
    }

    /// Creates an id that was read from somewhere, or one of a numbered sequence.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses what ``description`` returns; nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The id that stands for the place before the first entry.
    public static let none = EntryID(high: 0, low: 0)

    /// Both numbers in 32 hexadecimal digits.
    public var description: String { digits(of: high) + digits(of: low) }
}

/// A number in 16 hexadecimal digits.
func digits(of number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
