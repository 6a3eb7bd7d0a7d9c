// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes

extension WireValue {
    /// The limits of an incoming JSON text.
    ///
    /// An action is small. They keep a hostile body from costing more than it has bytes.
    static let depthLimit = 32
    static let elementLimit = 4_096

    /// Reads a JSON text (RFC 8259); of two members of one name the last one counts.
    ///
    /// - Throws: ``Rejection`` with a sentence that says what is wrong.
    /// - Complexity: O(bytes).
    init(json: [UInt8]) throws(Rejection) {
        guard String(validating: json, as: UTF8.self) != nil else { throw .badEncoding }
        var text = JSONText(json)
        self = try text.readAll()
    }
}

/// A JSON text that is being read, in one pass.
///
/// `JSONDecoder` has to be asked of each value whether it is a text, a number, and so on, and makes an error each
/// time that it isn't, with the path to it: a body of 57 KB of brackets took three quarters of a second.
private struct JSONText {
    private let bytes: [UInt8]
    private var position = 0
    private var elements = 0

    /// UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func readAll() throws(Rejection) -> WireValue {
        let value = try readValue(depth: 0)
        skipSpaces()
        guard position == bytes.count else { throw .noJSON }
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func readValue(depth: Int) throws(Rejection) -> WireValue {
        elements += 1
        guard elements <= WireValue.elementLimit else {
            throw Rejection(
                .badRequest, "The body has more than \(WireValue.elementLimit) elements.")
        }
        skipSpaces()
        switch next {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try readList(depth: depth + 1))
        case UInt8(ascii: "\""): return .text(try readText())
        case UInt8(ascii: "t"): return try read("true", as: .bool(true))
        case UInt8(ascii: "f"): return try read("false", as: .bool(false))
        case UInt8(ascii: "n"): return try read("null", as: .null)
        default: return try readNumber()
        }
    }

    private mutating func readObject(depth: Int) throws(Rejection) -> [String: WireValue] {
        try checkDepth(depth)
        var members: [String: WireValue] = [:]
        position += 1
        skipSpaces()
        if take("}") { return members }
        repeat {
            skipSpaces()
            guard next == UInt8(ascii: "\"") else { throw .noJSON }
            let name = try readText()
            skipSpaces()
            guard take(":") else { throw .noJSON }
            members[name] = try readValue(depth: depth)
            skipSpaces()
        } while take(",")
        guard take("}") else { throw .noJSON }
        return members
    }

    private mutating func readList(depth: Int) throws(Rejection) -> [WireValue] {
        try checkDepth(depth)
        var values: [WireValue] = []
        position += 1
        skipSpaces()
        if take("]") { return values }
        repeat {
            values.append(try readValue(depth: depth))
            skipSpaces()
        } while take(",")
        guard take("]") else { throw .noJSON }
        return values
    }

    private func checkDepth(_ depth: Int) throws(Rejection) {
        guard depth <= WireValue.depthLimit else {
            throw Rejection(
                .badRequest, "The body is nested deeper than \(WireValue.depthLimit) levels.")
        }
    }

    private mutating func readText() throws(Rejection) -> String {
        position += 1
        var text = readUnescaped()
        while !take("\"") {
            // What ends a part is an escape, or can't stand in a text.
            guard take("\\") else { throw .noJSON }
            text.unicodeScalars.append(try readEscape())
            text += readUnescaped()
        }
        return text
    }

    private mutating func readUnescaped() -> String {
        let start = position
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
        {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readEscape() throws(Rejection) -> Unicode.Scalar {
        guard let byte = next else { throw .noJSON }
        position += 1
        switch Unicode.Scalar(byte) {
        case "\"", "\\", "/": return Unicode.Scalar(byte)
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let unit = try readHexDigits()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // The first half of a pair (RFC 8259 § 7); half of one is no text.
            guard unit < 0xDC00, take("\\"), take("u") else { throw .noJSON }
            let second = try readHexDigits()
            guard (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(
                    0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
            else { throw .noJSON }
            return scalar
        default: throw .noJSON
        }
    }

    private mutating func readHexDigits() throws(Rejection) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, byte < 0x80,
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else { throw .noJSON }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private mutating func readNumber() throws(Rejection) -> WireValue {
        let start = position
        _ = take("-")
        // No zero stands in front of another digit.
        if !take("0") { try readDigits() }
        let isWhole = next != UInt8(ascii: ".") && next.map { $0 | 0x20 } != UInt8(ascii: "e")
        if take(".") { try readDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try readDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        if isWhole, let unsigned = UInt64(text) { return .unsigned(unsigned) }
        guard let number = Double(text), number.isFinite else { throw .noJSON }
        return .number(number)
    }

    private mutating func readDigits() throws(Rejection) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw .noJSON }
    }

    private mutating func read(_ word: String, as value: WireValue) throws(Rejection) -> WireValue {
        guard bytes[position...].starts(with: word.utf8) else { throw .noJSON }
        position += word.utf8.count
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }
}

extension Rejection {
    fileprivate static var noJSON: Rejection { Rejection(.badRequest, "The body isn't JSON.") }
}
#endif
