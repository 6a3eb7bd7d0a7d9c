// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// What comes below the weapons: a hint, or the way into the next round.
struct NextView: Equatable, Sendable {
    let isOver: Bool

    init(_ game: Game) {
        isOver = game.result != nil
    }
}
