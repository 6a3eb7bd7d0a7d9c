// SPDX-License-Identifier: MIT

/// A text that may be a URL or a part of one, so that other texts may be percent-encoded in it.
struct PercentEncodedText {
    /// A byte that is meant, and how it is written.
    private struct Unit {
        let byte: UInt8
        let source: Range<Int>
        /// Whether a step of the URL ends before it, and another one begins behind it.
        var isDelimiter = false
        var isEncoded: Bool { source.count > 1 }
    }

    private let bytes: [UInt8]
    private let units: [Unit]
    /// Where the first step begins.
    private let start: Int

    /// Nil for what is no URL, as most texts.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Self.mayBeURL(bytes) else { return nil }
        self.bytes = bytes
        var units: [Unit] = []
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "%"), offset + 2 < bytes.count,
                let byte = UInt8(
                    String(decoding: bytes[offset + 1...offset + 2], as: UTF8.self), radix: 16)
            {
                units.append(Unit(byte: byte, source: offset..<offset + 3))
                offset += 3
            } else {
                units.append(Unit(byte: bytes[offset], source: offset..<offset + 1))
                offset += 1
            }
        }
        (self.units, start) = Self.delimiting(units)
    }

    /// Marks what stands between the steps of a URL.
    ///
    /// Those are its parts (RFC 3986, 3), the steps of a path, and the names and values of a query.
    /// Within a step, other marks are the app's own.
    ///
    /// - Returns: The units, and the first one behind the scheme.
    private static func delimiting(_ units: [Unit]) -> ([Unit], Int) {
        func at(_ index: Int) -> UInt8? {
            units.indices.contains(index) && !units[index].isEncoded ? units[index].byte : nil
        }
        var units = units
        let colon = units.indices.first { at($0) == UInt8(ascii: ":") }
        let scheme = colon.flatMap { isScheme(units[..<$0].map(\.byte)) ? $0 : nil }
        let path = scheme.map { $0 + 1 } ?? 0
        let hasHost = at(path) == UInt8(ascii: "/") && at(path + 1) == UInt8(ascii: "/")
        var isHost = false
        for index in units.indices {
            guard let byte = at(index) else { continue }
            if hasHost, index == path + 1 {
                isHost = true
            } else if "/?#".utf8.contains(byte) {
                isHost = false
            }
            let marks = isHost ? "/:@" : "/?#&="
            units[index].isDelimiter = index == scheme || marks.utf8.contains(byte)
        }
        return (units, path)
    }

    /// Whether a text has no white space and a scheme, begins with a slash, or has an escaped byte.
    private static func mayBeURL(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, !bytes.contains(where: { $0 <= 0x20 }) else { return false }
        if first == UInt8(ascii: "/") || bytes.contains(UInt8(ascii: "%")) { return true }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return isScheme(Array(bytes[..<colon]))
    }

    private static func isScheme(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
                default: false
                }
            }
    }

    /// The text with a text replaced where it is a whole step of the URL, or anywhere.
    func replacing(_ replaced: TextReplacement, inParts isInParts: Bool) -> String {
        var rest: [UInt8] = []
        var offset = 0
        while offset < units.count {
            guard
                let form = replaced.forms.first(where: {
                    begins(at: offset, $0, inParts: isInParts)
                })
            else {
                rest += bytes[units[offset].source]
                offset += 1
                continue
            }
            let isEncoded = units[offset..<offset + form.count].contains(where: \.isEncoded)
            rest += Self.encode(replaced.replacement, strictly: isEncoded)
            offset += form.count
        }
        return String(decoding: rest, as: UTF8.self)
    }

    private func begins(at offset: Int, _ form: [UInt8], inParts isInParts: Bool) -> Bool {
        let end = offset + form.count
        guard end <= units.count else { return false }
        for (unit, byte) in zip(units[offset..<end], form) where unit.byte != byte {
            // A space in a query.
            guard byte == 0x20, unit.byte == UInt8(ascii: "+"), !unit.isEncoded else {
                return false
            }
        }
        if isInParts { return true }
        return offset >= start && (offset == 0 || units[offset - 1].isDelimiter)
            && (end == units.count || units[end].isDelimiter)
    }

    private static func encode(_ text: String, strictly isStrict: Bool) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": return [byte]
            case "@", "!", "$", "'", "(", ")", "*":
                if !isStrict { return [byte] }
                fallthrough
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                return Array("%\(hex.utf8.count == 1 ? "0" : "")\(hex)".utf8)
            }
        }
    }
}
