// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes values as JSON with sorted names, without white space.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: DataValue) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): append(String(integer))
        case .unsigned(let integer): append(String(integer))
        case .number(let number): write(number)
        case .text(let text): write(text)
        case .bytes(let content): write(Data(content).base64EncodedString())
        case .list(let values):
            append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { append(",") }
                write(value)
            }
            append("]")
        case .object(let fields):
            append("{")
            let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, field) in sorted.enumerated() {
                if index > 0 { append(",") }
                write(field.key)
                append(":")
                write(field.value)
            }
            append("}")
        }
    }

    private mutating func write(_ number: Double) {
        if number.isFinite { return append("\(number)") }
        append(number.isNaN ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"")
    }

    private mutating func write(_ text: String) {
        append("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case ..<0x20:
                let hex = String(byte, radix: 16)
                append(hex.count == 1 ? "\\u000\(hex)" : "\\u00\(hex)")
            default: bytes.append(byte)
            }
        }
        append("\"")
    }

    private mutating func append(_ text: String) {
        bytes += text.utf8
    }
}
