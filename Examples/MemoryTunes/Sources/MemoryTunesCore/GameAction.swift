// SPDX-License-Identifier: MIT

public import Onward

/// What a player can do in a game.
public enum GameAction: Action, Codable, Equatable {
    /// A new game begins: its covers are fetched. The page's script says from which tab.
    case start(category: Category, tab: String? = nil)
    /// The player tapped a card.
    case flip(card: Card.ID)
    /// The player has read that the game is over.
    case acknowledge
}
