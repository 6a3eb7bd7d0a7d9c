// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The name of an effect: what ``EffectPolicy`` compares, and what effects are cancelled by.
///
/// A name counts within one instance of a feature: effects of the same name in two instances, or two
/// rows, don't affect each other.
public struct EffectID: Sendable, Hashable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    /// The name as text.
    public let description: String

    /// A name.
    public init(_ name: String) {
        description = name
    }

    /// A name written as a literal: `"covers"`, `"cover \(number)"`.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
