// SPDX-License-Identifier: MIT
#if Server

/// A value as it came in from outside: from a JSON body or from the fields of a form.
enum WireValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case list([WireValue])
    case object([String: WireValue])

    /// The text, if it is one.
    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

// A form has only texts, so a text counts as a number or a truth value where one is asked for.
extension WireValue {
    /// The whole number of type `I`, if this is one and fits.
    func integer<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        switch self {
        case .integer(let value): I(exactly: value)
        case .unsigned(let value): I(exactly: value)
        case .number(let value): I(exactly: value)
        case .text(let text): I(text)
        default: nil
        }
    }

    /// The finite number, if this is one.
    var double: Double? {
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

    /// The truth value; of texts "true" and "on" (a checked box) or "false" and "off".
    var bool: Bool? {
        switch self {
        case .bool(let value): value
        case .text("true"), .text("on"): true
        case .text("false"), .text("off"): false
        default: nil
        }
    }
}
#endif
