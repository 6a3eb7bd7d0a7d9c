// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// What is said at the end of a game, once; empty before, after, and elsewhere.
struct EndView: Equatable, Sendable {
    let isShown: Bool
    let game: Int
    let score: String
    /// The music of the next game.
    let category: String

    init(_ state: MemoryTunes, at screen: Screen) {
        let game = state.game
        isShown = screen == .game && game.isCongratulating
        self.game = game.number
        category = state.categories.current.rawValue
        score = isShown ? "\(game.moves) moves in \(StatsView.time(game.seconds))" : ""
    }
}
