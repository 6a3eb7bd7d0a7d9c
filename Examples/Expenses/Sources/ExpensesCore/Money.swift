// SPDX-License-Identifier: MIT

/// An amount in cents, so that sums are exact.
public struct Money: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The largest amount of one expense or budget.
    public static let limit = Money(cents: 100_000_000)

    /// The cents.
    public let cents: Int

    /// An amount of cents.
    public init(cents: Int) { self.cents = cents }

    /// The amount of a text such as "12.50", "12,5" or "12"; nil if it is none.
    ///
    /// It is at least a cent, and at most ``limit``.
    public init?(_ text: String) {
        let parts = text.replacing(",", with: ".").split(
            separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, 1...7 ~= parts[0].count,
            parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
            let whole = Int(parts[0]), parts.count == 1 || 1...2 ~= parts[1].count
        else { return nil }
        let rest = parts.count == 1 ? 0 : (Int(parts[1]) ?? 0) * (parts[1].count == 1 ? 10 : 1)
        cents = whole * 100 + rest
        guard cents > 0, self <= .limit else { return nil }
    }

    /// The amount with two decimals and spaces between thousands: "1 234.50".
    public var description: String {
        var whole = String(abs(cents) / 100)
        var groups: [Substring] = []
        while whole.count > 3 {
            groups.insert(whole.suffix(3), at: 0)
            whole = String(whole.dropLast(3))
        }
        let rest = abs(cents) % 100
        return (cents < 0 ? "−" : "") + ([Substring(whole)] + groups).joined(separator: "\u{202F}")
            + ".\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Whether an amount is smaller.
    public static func < (left: Money, right: Money) -> Bool { left.cents < right.cents }
}
