// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import OnwardNavigation

/// The menu; empty on the other screens.
struct MenuView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let name: String
        /// What stands behind the name, of which the page shows a drawing: not every machine has a font for it.
        let emoji: String
        let url: String
        /// Whether the row starts a game, besides leading to it.
        let starts: Bool
    }

    let isShown: Bool
    let rows: [Row]
    let category: String
    /// The progress of the game that can be continued; nil if there is none.
    let progress: String?

    init(_ state: MemoryTunes, at screen: Screen) {
        isShown = screen == .menu
        rows = state.menu.rows.map {
            let words = $0.text.split(separator: " ")
            return Row(
                name: words.dropLast().joined(separator: " "), emoji: String(words.last ?? ""),
                url: Screen.codec.text(of: $0.screen) ?? "/", starts: $0.screen == .game)
        }
        category = state.categories.current.rawValue
        let game = state.game
        progress =
            game.isPlaying ? "\(game.pairs) of \(Game.pairCount) pairs" : nil
    }
}
