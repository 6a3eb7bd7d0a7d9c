// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import OnwardJournal

// What comes in from outside: from a JSON body or from the fields of a form.

extension DataValue {
    /// The limits of an incoming JSON text.
    ///
    /// An action is small. The limits keep a hostile body from costing more than its size in bytes.
    private static let wireLimits = DataLimits(depth: 32, elements: 4_096)

    /// Reads a JSON text; if an object has two members of the same name, the last one counts.
    ///
    /// - Throws: ``Rejection`` with a sentence that says what is wrong.
    /// - Complexity: O(bytes).
    init(json: [UInt8]) throws(Rejection) {
        do {
            self = try DataFormat.json.value(of: json, limits: Self.wireLimits)
        } catch {
            switch error.code {
            case .tooLarge:
                throw Rejection(
                    .badRequest, "The body has more than \(Self.wireLimits.elements) elements.")
            case .tooDeep:
                throw Rejection(
                    .badRequest, "The body is nested deeper than \(Self.wireLimits.depth) levels.")
            default:
                guard String(validating: json, as: UTF8.self) != nil else { throw .badEncoding }
                throw Rejection(.badRequest, "The body isn't JSON.")
            }
        }
    }
}

// A form has only texts, so a text counts as a number or a Boolean if one is expected.
extension DataValue {
    /// The whole number of type `I`, if this is one or a text with one, and it fits.
    func wireInteger<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        if let text { I(text) } else { integer(as: type) }
    }

    /// The finite number, if this is one or a text with one.
    var wireDouble: Double? {
        let value: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .unsigned(let value): Double(value)
            case .number(let value): value
            case .text(let text): Double(text)
            default: nil
            }
        guard let value, value.isFinite else { return nil }
        return value
    }

    /// The Boolean value; of texts, "true" and "on" (a checked box) or "false" and "off".
    var wireBool: Bool? {
        switch self {
        case .bool(let value): value
        case .text("true"), .text("on"): true
        case .text("false"), .text("off"): false
        default: nil
        }
    }
}
#endif
