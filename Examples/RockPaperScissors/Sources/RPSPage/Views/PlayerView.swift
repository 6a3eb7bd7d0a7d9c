// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// One player's half of the board.
///
/// `side` and `standing` are class names of the style sheet.
struct PlayerView: Equatable, Sendable {
    let side: String
    let name: String
    let score: Int
    let standing: String
    let square: SquareView

    init(_ player: Player, in game: Game) {
        side = player.side
        name = player.name
        score = game.score[player]
        standing =
            switch game.result {
            case .win(player): "winner"
            case .win: "loser"
            case .draw: "drawn"
            case nil: game.turn == player ? "up" : "waiting"
            }
        square = SquareView(game.play(of: player), isRevealed: game.result != nil)
    }
}

extension Player {
    /// The class name of everything that wears the player's colour.
    var side: String {
        switch self {
        case .one: "one"
        case .two: "two"
        }
    }
}
