// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// Both players side by side, and how the round stands between them.
struct BoardView: Equatable, Sendable {
    let look: String
    let isWon: Bool
    let players: [PlayerView]

    init(_ game: Game) {
        switch game.result {
        case .win(let player): (look, isWon) = ("won by-\(player.side)", true)
        case .draw: (look, isWon) = ("drawn", false)
        case nil: (look, isWon) = ("open", false)
        }
        players = Player.allCases.map { PlayerView($0, in: game) }
    }
}
