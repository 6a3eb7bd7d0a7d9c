// SPDX-License-Identifier: MIT

public import Onward

/// The rules of the game as a feature: one action type, one reducer.
public let rockPaperScissors = Feature<Game> {
    Reduce { (game: inout Game, action: GameAction) in
        switch action {
        case .choose(let weapon): game.choose(weapon)
        case .playAgain: game.playAgain()
        }
    }
}
