// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// Moves, pairs and time of a game; empty while there is none.
struct StatsView: Equatable, Sendable {
    let isShown: Bool
    let moves: Int
    let pairs: String
    let time: String

    init(_ game: Game, at screen: Screen) {
        isShown = screen == .game && !game.cards.isEmpty
        moves = game.moves
        pairs = "\(game.pairs) of \(Game.pairCount)"
        time = isShown ? Self.time(game.seconds) : ""
    }

    /// Minutes and seconds: "1:05".
    static func time(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
