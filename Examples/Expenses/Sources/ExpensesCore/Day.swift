// SPDX-License-Identifier: MIT

/// A day of the calendar, as bills have it: without a time and a place.
public struct Day: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// Year, month and day as one number: 20261103.
    private let number: Int

    /// A day of a text such as "2026-11-03"; nil if there is no such day.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || 48...57 ~= $0 })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3, 1...12 ~= numbers[1],
            1...Self.days(in: numbers[1], of: numbers[0]) ~= numbers[2]
        else { return nil }
        number = numbers[0] * 10_000 + numbers[1] * 100 + numbers[2]
    }

    /// The month that it is in.
    public var month: Month { Month(year: number / 10_000, month: number / 100 % 100) }

    /// Year, month and day: "2026-11-03".
    public var description: String { "\(month)-\(twoDigits(number % 100))" }

    /// Whether a day comes before another.
    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    /// Reads a text such as "2026-11-03".
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no day such as 2026-11-03.")
        }
        self = day
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A month of a year.
public struct Month: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let number: Int

    init(year: Int, month: Int) { number = year * 100 + month }

    /// A month of a text such as "2026-11"; nil if there is no such month.
    public init?(_ text: String) {
        guard let day = Day(text + "-01") else { return nil }
        self = day.month
    }

    /// Year and month: "2026-11".
    public var description: String {
        let year = String(number / 100)
        return String(repeating: "0", count: max(4 - year.count, 0)) + year + "-"
            + twoDigits(number % 100)
    }

    /// The name of the month: "November 2026".
    public var name: String { "\(names[number % 100 - 1]) \(number / 100)" }

    /// The first letters of its name, for where there is little room: "Nov".
    public var shortName: String { String(names[number % 100 - 1].prefix(3)) }

    private var names: [String] {
        [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
    }

    /// The month before.
    public var previous: Month {
        number % 100 > 1
            ? Month(year: number / 100, month: number % 100 - 1)
            : Month(year: number / 100 - 1, month: 12)
    }

    /// Whether a month comes before another.
    public static func < (left: Month, right: Month) -> Bool { left.number < right.number }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
