// SPDX-License-Identifier: MIT

/// The name of an effect: what ``EffectPolicy`` compares, and what effects are cancelled by.
///
/// Any `Hashable` value. Two names are the same when they are of one type and equal.
package struct EffectID: Sendable, Hashable, CustomStringConvertible {
    let value: any Hashable & Sendable

    /// A name.
    package init(_ value: any Hashable & Sendable) { self.value = value }

    /// The name as text, for reports.
    package var description: String { String(describing: value) }

    /// Whether two names are of one type and equal.
    package static func == (left: EffectID, right: EffectID) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    /// Hashes the value.
    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
