// SPDX-License-Identifier: MIT

/// What one player has done in this round.
public struct Play: Codable, Equatable, Sendable {
    /// The weapon, or nil as long as the player has not chosen.
    ///
    /// The opponent must not learn it before the round is over: show ``isChosen`` instead.
    public var weapon: Weapon?

    /// Whether the player has chosen, which everybody may know.
    public var isChosen: Bool { weapon != nil }

    /// Creates a play; without a weapon, one that is still to come.
    public init(weapon: Weapon? = nil) {
        self.weapon = weapon
    }
}
