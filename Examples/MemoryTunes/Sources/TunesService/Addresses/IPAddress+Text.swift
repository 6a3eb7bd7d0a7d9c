// SPDX-License-Identifier: MIT

extension IPAddress {
    /// Reads IPv4 in all spellings that the system's resolver takes: one to four numbers, each
    /// decimal, octal (`0177`) or hexadecimal (`0x7f`), the last filling the rest.
    ///
    /// A filter that knows only the usual spelling lets `2130706433` and `0177.1` through.
    init?(v4 text: some StringProtocol) {
        let parts = Substring(text).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { Self.number($0) }
        guard numbers.count == parts.count, let last = numbers.last,
            numbers.dropLast().allSatisfy({ $0 <= 0xFF }),
            last < 1 << UInt64(8 * (5 - parts.count))
        else { return nil }
        var value = last
        for (index, number) in numbers.dropLast().enumerated() {
            value |= number << UInt64(8 * (3 - index))
        }
        self.init(v4: UInt32(value))
    }

    /// Reads IPv6 (RFC 4291 § 2.2), without brackets and without a zone.
    init?(v6 text: some StringProtocol) {
        let halves = Self.halves(Substring(text))
        guard halves.count <= 2 else { return nil }
        let groups = halves.map(Self.groups)
        guard let head = groups[0] else { return nil }
        guard groups.count == 2 else {
            self.init(bytes: head.count == 16 ? head : [])
            return
        }
        guard let tail = groups[1], head.count + tail.count <= 14 else { return nil }
        self.init(bytes: head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail)
    }

    /// The parts before and behind "::", or the whole.
    private static func halves(_ text: Substring) -> [Substring] {
        guard let gap = text.firstRange(of: "::") else { return [text] }
        return [text[..<gap.lowerBound]] + halves(text[gap.upperBound...])
    }

    /// The bytes of groups between colons; the last may be IPv4 in the usual spelling.
    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard part.split(separator: ".", omittingEmptySubsequences: false).count == 4,
                    let v4 = IPAddress(v4: part)
                else { return nil }
                bytes += v4.bytes
            } else {
                guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func number(_ text: Substring) -> UInt64? {
        guard text.first?.isHexDigit == true, text.count <= 16 else { return nil }
        let lowercase = text.lowercased()
        if lowercase.hasPrefix("0x") {
            return lowercase.count == 2 ? 0 : UInt64(lowercase.dropFirst(2), radix: 16)
        }
        guard text.allSatisfy(\.isASCII), text.allSatisfy(\.isNumber) else { return nil }
        return text.first == "0" && text.count > 1 ? UInt64(text, radix: 8) : UInt64(text)
    }
}
