// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// What is said at the end of a game, once; empty before, after, and elsewhere.
struct EndView: Equatable, Sendable {
    let isShown: Bool
    let game: Int
    let score: String

    init(_ game: Game, at screen: Screen) {
        isShown = screen == .game && game.isCongratulating
        self.game = game.number
        score = isShown ? "\(game.moves) moves in \(StatsView.time(game.seconds))" : ""
    }
}
