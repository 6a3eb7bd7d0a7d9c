// SPDX-License-Identifier: MIT

/// The coded form of an id.
indirect enum RowTextValue: Sendable {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case text(String)
    case list([RowTextValue])
    case object([String: RowTextValue])
    /// The text of an id that was written without quotation marks: what it is depends on who reads.
    case plain(String)
}

// MARK: - Writing

extension RowTextValue {
    /// A value without parts as it is; nil for one with parts.
    var single: String? {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let text), .text(let text), .plain(let text): text
        case .list, .object: nil
        }
    }

    /// The value as JSON: names are sorted by their bytes, and there is no white space.
    var json: String {
        switch self {
        case .text(let text), .plain(let text): return Self.quote(text)
        case .list(let values): return "[\(values.map(\.json).joined(separator: ","))]"
        case .object(let fields):
            let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let texts = sorted.map { "\(Self.quote($0.key)):\($0.value.json)" }
            return "{\(texts.joined(separator: ","))}"
        case .null, .bool, .number: return single ?? ""
        }
    }

    private static func quote(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        quoted.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted.append("\\")
                quoted.append(scalar)
            case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
            case "\0"..<" ":
                let hex = String(scalar.value, radix: 16)
                let zeros = hex.count == 1 ? "000" : "00"
                quoted.append(contentsOf: "\\u\(zeros)\(hex)".unicodeScalars)
            default: quoted.append(scalar)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }
}

// MARK: - Reading

extension RowTextValue {
    /// Reads JSON; nil for anything else.
    ///
    /// It comes from outside: nothing is nested deeper than ids are.
    ///
    /// - Complexity: O(length of the text).
    init?(json: String) {
        var reader = JSONText(Array(json.utf8))
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }

    /// This value, with the parts of a plain text.
    var parts: RowTextValue? {
        guard case .plain(let text) = self else { return self }
        return RowTextValue(json: text)
    }
}

/// Reads the JSON that ``RowTextValue/json`` writes, and what else differs from it only in white space or escapes.
private struct JSONText {
    private let bytes: [UInt8]
    private var offset = 0
    private static let deepest = 32

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func value(depth: Int) -> RowTextValue? {
        guard depth < Self.deepest else { return nil }
        switch next {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return list(depth)
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return skip("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return skip("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return skip("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> RowTextValue? {
        var fields: [String: RowTextValue] = [:]
        offset += 1
        if skip("}") { return .object(fields) }
        repeat {
            guard next == UInt8(ascii: "\""), let name = text(), skip(":"),
                let value = value(depth: depth + 1),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        } while skip(",")
        return skip("}") ? .object(fields) : nil
    }

    private mutating func list(_ depth: Int) -> RowTextValue? {
        var values: [RowTextValue] = []
        offset += 1
        if skip("]") { return .list(values) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        } while skip(",")
        return skip("]") ? .list(values) : nil
    }

    private mutating func number() -> RowTextValue? {
        let start = offset
        while let byte = next, Self.isInNumbers(byte) { offset += 1 }
        return start == offset
            ? nil : .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    /// The names of numbers that JSON lacks are read too.
    private static func isInNumbers(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "a"..."z", "E", "-", "+", ".": true
        default: false
        }
    }

    private mutating func text() -> String? {
        var content: [UInt8] = []
        offset += 1
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escaped() else { return nil }
                content += escaped
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> [UInt8]? {
        guard let byte = next else { return nil }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
            guard let code = UInt8(digits, radix: 16), code < 0x20, digits.utf8.count == 4
            else { return nil }
            offset += 4
            return [code]
        default: return nil
        }
    }

    private mutating func skip(_ word: String) -> Bool {
        guard bytes[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }
}
