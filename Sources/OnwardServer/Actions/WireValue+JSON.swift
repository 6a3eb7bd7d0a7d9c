// SPDX-License-Identifier: MIT
#if Server

import FoundationEssentials
import HTTPTypes

extension WireValue {
    /// The limits of an incoming JSON text.
    ///
    /// An action is small. They keep a hostile body from costing more than it has bytes.
    static let depthLimit = 32
    static let elementLimit = 4_096

    /// Reads a JSON text (RFC 8259).
    ///
    /// - Throws: ``Rejection`` with a sentence that says what is wrong.
    init(json: [UInt8]) throws(Rejection) {
        guard String(validating: json, as: UTF8.self) != nil else { throw .badEncoding }
        try Self.checkLimits(json)
        do {
            self = try JSONDecoder().decode(WireValue.self, from: Data(json))
        } catch {
            throw Rejection(.badRequest, "The body isn't JSON.")
        }
    }

    /// Counts brackets and elements outside of strings, before anything is built.
    private static func checkLimits(_ json: [UInt8]) throws(Rejection) {
        var depth = 0
        var elements = 0
        var inString = false
        var escaped = false
        for byte in json {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): elements += 1
            default: break
            }
            guard depth <= depthLimit else {
                throw Rejection(.badRequest, "The body is nested deeper than \(depthLimit) levels.")
            }
            guard elements <= elementLimit else {
                throw Rejection(.badRequest, "The body has more than \(elementLimit) elements.")
            }
        }
    }
}

extension WireValue: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let unsigned = try? value.decode(UInt64.self) {
            self = .unsigned(unsigned)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if value.decodeNil() {
            self = .null
        } else if let list = try? value.decode([WireValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: WireValue].self))
        }
    }
}
#endif
