// SPDX-License-Identifier: MIT

/// How a round ended.
public enum Outcome: Codable, Equatable, Sendable {
    /// Both players chose the same weapon.
    case draw
    /// This player's weapon beat the other's.
    case win(Player)

    /// Judges a round by ``Weapon/beats(_:)``.
    public init(player1 first: Weapon, player2 second: Weapon) {
        if first.beats(second) {
            self = .win(.one)
        } else if second.beats(first) {
            self = .win(.two)
        } else {
            self = .draw
        }
    }
}
