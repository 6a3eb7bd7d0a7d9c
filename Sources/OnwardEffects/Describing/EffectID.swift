// SPDX-License-Identifier: MIT

/// The name of an effect, which ``EffectPolicy`` compares and by which effects are cancelled.
///
/// Any `Hashable` value. Two names are the same if they have the same type and are equal.
package struct EffectID: Sendable, Hashable, CustomStringConvertible {
    let value: any Hashable & Sendable

    /// A name.
    package init(_ value: any Hashable & Sendable) { self.value = value }

    /// The name as text, for reports.
    package var description: String { String(describing: value) }

    /// Whether two names have the same type and are equal.
    package static func == (left: EffectID, right: EffectID) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    /// Hashes the value.
    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
