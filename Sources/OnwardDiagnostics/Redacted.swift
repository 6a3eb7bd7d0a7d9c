// SPDX-License-Identifier: MIT

/// Marks a value that must not be shown: it prints and exports as "‹redacted›".
///
/// ```swift
/// struct Account: Sendable { @Redacted var token = "" }
/// enum LoginAction: Action { case entered(name: String, password: Redacted<String>) }
/// ```
///
/// Anything that prints by reflection or description (logs, differences, programmer error texts) or encodes
/// (exports, inspectors) gets the placeholder. Only an encoder that opts in with
/// ``Swift/CodingUserInfoKey/revealsRedacted`` in its `userInfo` gets the value, as a recording on the
/// user's own device does; a journal doesn't.
@propertyWrapper
public struct Redacted<Value: Sendable>: Sendable {
    /// The value, for the program itself.
    public var wrappedValue: Value

    /// Creates a marked value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Creates a marked value.
    public init(_ value: Value) {
        wrappedValue = value
    }
}

/// A redacted value of any type, for code that looks for differences.
package protocol RedactedValue {
    /// Whether another redacted value has the same text, which is not shown.
    func looksLike(_ other: Any) -> Bool
}

extension Redacted: RedactedValue {
    package func looksLike(_ other: Any) -> Bool {
        guard let other = other as? Redacted else { return false }
        return String(describing: wrappedValue) == String(describing: other.wrappedValue)
    }
}

/// What replaces a redacted value.
package let redactedPlaceholder = "‹redacted›"

extension CodingUserInfoKey {
    /// If this is `true` in an encoder's `userInfo`, redacted values are encoded as they are.
    public static var revealsRedacted: CodingUserInfoKey {
        // The initialiser does not fail for any string, according to the standard library's own
        // documentation of `CodingUserInfoKey`; the type only leaves room for failure.
        guard let key = CodingUserInfoKey(rawValue: "onward.revealsRedacted") else {
            preconditionFailure("The name of a user info key was refused.")
        }
        return key
    }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The placeholder.
    public var description: String { redactedPlaceholder }
    /// The placeholder.
    public var debugDescription: String { redactedPlaceholder }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension Redacted: Encodable where Value: Encodable {
    /// Writes the placeholder, or the value where the encoder reveals it.
    public func encode(to encoder: any Encoder) throws {
        if encoder.userInfo[.revealsRedacted] as? Bool == true {
            try wrappedValue.encode(to: encoder)
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(redactedPlaceholder)
        }
    }
}

extension Redacted: Decodable where Value: Decodable {
    /// Reads the value itself.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value(from: decoder)
    }
}
