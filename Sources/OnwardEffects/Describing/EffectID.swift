// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The name of an effect: what ``EffectPolicy`` compares, and what effects are cancelled by.
///
/// Any `Hashable` value: a case of an enum is checked by the compiler, a text is quickly written. Two ids are the same
/// when they are of one type and equal. A name counts within one instance of a feature: effects of the same name in
/// two instances, or two rows, don't affect each other.
public struct EffectID: Sendable, Hashable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    let value: any Hashable & Sendable

    /// A name.
    public init(_ value: any Hashable & Sendable) {
        self.value = (value as? EffectID)?.value ?? value
    }

    /// A name written as a literal: `"covers"`, `"cover \(number)"`.
    public init(stringLiteral name: String) {
        value = name
    }

    /// The name as text, for reports.
    public var description: String { String(describing: value) }

    /// Whether two names are of one type and equal.
    public static func == (left: EffectID, right: EffectID) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
