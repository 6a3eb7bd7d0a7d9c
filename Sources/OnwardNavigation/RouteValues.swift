// SPDX-License-Identifier: MIT

/// The variable parts of a URL, as named texts in their order.
///
/// Written as a dictionary literal, in which nil values are left out: `["id": 7, "side": side]`. A
/// name may occur more than once.
public struct RouteValues: Sendable {
    /// A text with a name.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    /// The first text with a name; nil when there is none.
    ///
    /// - Complexity: O(texts).
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The first text with a name, converted to a type; nil if there is none or it can't be
    /// converted.
    ///
    /// - Complexity: O(texts).
    public subscript<Value: LosslessStringConvertible>(name: String, as type: Value.Type) -> Value?
    {
        self[name].flatMap(Value.init)
    }

    /// All texts with a name.
    ///
    /// - Complexity: O(texts).
    public func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a value's text at the end.
    public mutating func append(_ value: some CustomStringConvertible, as name: String) {
        fields.append(Field(name: name, value: value.description))
    }

    /// Takes out the first text with a name.
    mutating func removeFirst(_ name: String) -> String? {
        fields.firstIndex { $0.name == name }.map { fields.remove(at: $0).value }
    }
}

extension RouteValues: Hashable {}

extension RouteValues: ExpressibleByDictionaryLiteral {
    /// Creates values from those that aren't nil.
    public init(dictionaryLiteral elements: (String, (any CustomStringConvertible)?)...) {
        for (name, value) in elements {
            if let value { append(value, as: name) }
        }
    }
}
