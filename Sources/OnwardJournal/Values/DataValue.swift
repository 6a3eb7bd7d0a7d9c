// SPDX-License-Identifier: MIT

/// A self-describing value: what payloads and saved states consist of.
///
/// It is what CBOR and JSON have in common, plus bytes. Migrations transform values of this type,
/// so they need neither the old Swift types nor the format in which the bytes were written.
///
/// NaN equals NaN here, unlike in Swift's numbers: what was written and read again is equal to what
/// it was.
public enum DataValue: Sendable {
    /// No value.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A whole number in the range of `Int64`.
    case integer(Int64)
    /// A whole number above the range of `Int64`.
    case unsigned(UInt64)
    /// A floating-point number, NaN and the infinities included.
    case number(Double)
    /// A Unicode string.
    case text(String)
    /// A sequence of bytes.
    case bytes([UInt8])
    /// An ordered list of values.
    case list([DataValue])
    /// Values by name, in no order.
    case object([String: DataValue])
}

extension DataValue {
    /// The field of an object with the given name, or nil if there is none or this is not an
    /// object.
    ///
    /// Setting nil removes the field. Setting a field of anything that is not an object turns it
    /// into an object.
    ///
    /// - Complexity: O(1) to read; O(fields) to set while a copy of the object is held.
    public subscript(name: String) -> DataValue? {
        get {
            guard case .object(let fields) = self else { return nil }
            return fields[name]
        }
        set {
            var fields: [String: DataValue] = [:]
            if case .object(let present) = self { fields = present }
            self = .null  // so that the fields are changed in place
            fields[name] = newValue
            self = .object(fields)
        }
    }

    /// The Boolean value, if this is one.
    public var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// The string, if this is one.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// Returns the whole number as an integer type; nil if this is not one, or does not fit.
    public func integer<Number: BinaryInteger>(as type: Number.Type = Number.self) -> Number? {
        switch self {
        case .integer(let value): Number(exactly: value)
        case .unsigned(let value): Number(exactly: value)
        case .number(let value): Number(exactly: value)
        default: nil
        }
    }

    /// The values of a list, if this is one.
    public var list: [DataValue]? {
        guard case .list(let values) = self else { return nil }
        return values
    }

    /// The fields of an object, if this is one.
    public var fields: [String: DataValue]? {
        guard case .object(let fields) = self else { return nil }
        return fields
    }

    /// What kind of value this is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .unsigned: "a whole number"
        case .number: "a number"
        case .text: "a text"
        case .bytes: "bytes"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension DataValue: Hashable {
    /// Whether two values have the same form; NaN equals NaN.
    ///
    /// - Complexity: O(size of the values).
    public static func == (left: DataValue, right: DataValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.number(let left), .number(let right)):
            left == right || left.isNaN && right.isNaN
        case (.text(let left), .text(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value; every NaN alike.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .integer(let integer): hasher.combine(integer)
        case .unsigned(let integer): hasher.combine(integer)
        case .number(let number): hasher.combine(number.isNaN ? .nan : number)
        case .text(let text): hasher.combine(text)
        case .bytes(let bytes): hasher.combine(bytes)
        case .list(let values): hasher.combine(values)
        case .object(let fields): hasher.combine(fields)
        }
    }
}

extension DataValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates the null value.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a list.
    public init(arrayLiteral elements: DataValue...) { self = .list(elements) }
    /// Creates an object; if two fields have the same name, the last one counts.
    public init(dictionaryLiteral elements: (String, DataValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
