// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// The number of the round in play.
struct RoundView: Equatable, Sendable {
    let round: Int

    init(_ game: Game) {
        round = game.round
    }
}
