// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// The line on top, in the colour of the player it speaks of.
struct MessageView: Equatable, Sendable {
    let text: String
    let tone: String

    init(_ game: Game) {
        text = game.message.rawValue
        tone =
            switch game.result {
            case .win(let player): "\(player.side) over"
            case .draw: "draw over"
            case nil: game.turn.side
            }
    }
}
