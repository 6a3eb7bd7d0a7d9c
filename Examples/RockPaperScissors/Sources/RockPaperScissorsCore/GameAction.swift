// SPDX-License-Identifier: MIT

public import Onward

/// What can happen in the game.
public enum GameAction: Action, Codable, Equatable {
    /// The player whose turn it is has chosen a weapon.
    case choose(weapon: Weapon)
    /// The players want another round.
    case playAgain
}
