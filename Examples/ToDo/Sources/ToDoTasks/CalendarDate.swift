// SPDX-License-Identifier: MIT

/// A day of the Gregorian calendar, the same day wherever one is.
///
/// A due date is no instant: it has no time zone, and nothing that is done to it asks for one.
public struct CalendarDate: Hashable, Sendable {
    /// The parts of the date, counted from 1.
    public let year, month, day: Int

    /// A day; nil if the calendar doesn't have it, or not with four digits of the year.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9_999 ~= year, 1...12 ~= month else { return nil }
        let isLeapYear = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...lengths[month - 1] ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads `dd/MM/yyyy`.
    public init?(slashed text: String) {
        guard let parts = Self.numbers(in: text, "00/00/0000") else { return nil }
        self.init(year: parts[2], month: parts[1], day: parts[0])
    }

    /// Reads the day of a time stamp `yyyy-MM-dd'T'HH:mm:ssZ` as it is written there.
    ///
    /// Neither the time nor the offset (`+0100`, `+01:00` or `Z`) moves the day.
    public init?(timestamp text: String) {
        let zone = text.dropFirst(19)
        let forms = ["0000", "00:00"].compactMap { Self.numbers(in: zone.dropFirst(), $0) }
        guard zone == "Z" || "+-".contains(zone.prefix(1)) && !zone.isEmpty && !forms.isEmpty,
            let parts = Self.numbers(in: text.prefix(19), "0000-00-00T00:00:00"),
            parts[3] < 24, parts[4] < 60, parts[5] <= 60
        else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    /// The day as `dd/MM/yyyy`.
    public var slashed: String {
        "\(Self.padded(day, 2))/\(Self.padded(month, 2))/\(Self.padded(year, 4))"
    }

    /// The day's first second in UTC as `yyyy-MM-dd'T'HH:mm:ssZ`.
    public var timestamp: String { "\(self)T00:00:00+0000" }

    /// The numbers in a text that looks like a form, in which zeros stand for any digits.
    private static func numbers(in text: some StringProtocol, _ form: String) -> [Int]? {
        let (bytes, form) = (Array(text.utf8), Array(form.utf8))
        let zero = UInt8(ascii: "0")
        let fits = zip(bytes, form).allSatisfy { $1 == zero ? zero...zero + 9 ~= $0 : $0 == $1 }
        guard fits, bytes.count == form.count else { return nil }
        return bytes.split { !(zero...zero + 9 ~= $0) }
            .map { $0.reduce(0) { $0 * 10 + Int($1 - zero) } }
    }

    private static func padded(_ number: Int, _ length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: length - digits.count) + digits
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Reads `yyyy-MM-dd`.
    public init?(_ description: String) {
        guard let parts = Self.numbers(in: description, "0000-00-00") else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    /// The day as `yyyy-MM-dd`.
    public var description: String {
        "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }
}

extension CalendarDate: Codable {
    /// Reads `yyyy-MM-dd`; throws when the text is no day.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = try CalendarDate(container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "This is no day of the calendar.")
        }
        self = date
    }

    /// Writes `yyyy-MM-dd`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
