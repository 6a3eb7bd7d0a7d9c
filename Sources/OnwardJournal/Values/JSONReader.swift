// SPDX-License-Identifier: MIT

internal import Foundation

/// Reads one JSON text (RFC 8259) that nobody vouches for, by Foundation's decoder.
///
/// The limits are checked before anything is built.
struct JSONReader {
    private let bytes: [UInt8]
    private let limits: DataLimits

    init(_ bytes: [UInt8], _ limits: DataLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    func readAll() throws(DataError) -> DataValue {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw DataError(.malformed, at: 0, "The text is not UTF-8")
        }
        try checkLimits()
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes)).value
        } catch {
            throw DataError(.malformed, at: 0, "The text is not JSON")
        }
    }

    /// Counts brackets and elements outside of texts.
    private func checkLimits() throws(DataError) {
        var depth = 0
        var elements = 0
        var isInText = false
        var isEscaped = false
        for (offset, byte) in bytes.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): elements += 1
            default: break
            }
            if depth > limits.depth {
                throw DataError(
                    .tooDeep, at: offset, "The value is nested deeper than \(limits.depth) levels")
            }
            if elements > limits.elements {
                throw DataError(
                    .tooLarge, at: offset, "There are more than \(limits.elements) values")
            }
        }
    }

    /// What Foundation's decoder makes of a value.
    private struct Content: Decodable {
        let value: DataValue

        // Frequent kinds first: each one that does not fit costs an error.
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = .null
            } else if let text = try? container.decode(String.self) {
                value = .text(text)
            } else if let integer = try? container.decode(Int64.self) {
                value = .integer(integer)
            } else if let list = try? container.decode([Content].self) {
                value = .list(list.map(\.value))
            } else if let object = try? container.decode([String: Content].self) {
                value = .object(object.mapValues(\.value))
            } else if let bool = try? container.decode(Bool.self) {
                value = .bool(bool)
            } else if let unsigned = try? container.decode(UInt64.self) {
                value = .unsigned(unsigned)
            } else {
                value = .number(try container.decode(Double.self))
            }
        }
    }
}
