// SPDX-License-Identifier: MIT

internal import Foundation

/// Writes values as JSON with sorted names, without white space.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether integers that a script's numbers can't represent are written as texts.
    private let isScripted: Bool

    init(isScripted: Bool = false) { self.isScripted = isScripted }

    /// Hands over what was written, and starts again.
    mutating func take() -> [UInt8] {
        defer {
            bytes = []
            bytes.reserveCapacity(1 << 16)
        }
        return bytes
    }

    mutating func write(_ value: DataValue) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer) where isScripted && integer.magnitude > 1 << 53:
            write(String(integer))
        case .unsigned(let integer) where isScripted: write(String(integer))
        case .integer(let integer): append(integer)
        case .unsigned(let integer): append(integer)
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
            if fields.count == 1 {
                for (name, value) in fields { write(name, value) }
            } else {
                let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                for (index, field) in sorted.enumerated() {
                    if index > 0 { append(",") }
                    write(field.key, field.value)
                }
            }
            append("}")
        }
    }

    private mutating func write(_ name: String, _ value: DataValue) {
        write(name)
        append(":")
        write(value)
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

    mutating func append(_ text: String) {
        bytes += text.utf8
    }

    mutating func append(_ integer: some FixedWidthInteger) {
        guard 0..<10 ~= integer else { return append(String(integer)) }
        bytes.append(UInt8(ascii: "0") + UInt8(integer))
    }
}
