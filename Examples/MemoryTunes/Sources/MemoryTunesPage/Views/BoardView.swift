// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward

/// The cards, or what there is instead of them; empty on the other screens.
struct BoardView: Equatable, Sendable {
    /// The number of the game, so that its buttons never expect another one.
    let game: Int
    /// Whether the address leads nowhere.
    let isNowhere: Bool
    let isIdle: Bool
    let isLoading: Bool
    let problem: String?
    let hasCards: Bool
    let cards: [CardView]
    let category: String

    init(_ state: MemoryTunes, at screen: Screen) {
        let game = state.game
        let isShown = screen == .game
        self.game = isShown ? game.number : 0
        isNowhere = screen == .notFound
        isIdle = isShown && game.deal.isIdle
        isLoading = isShown && game.deal.isLoading
        problem = isShown ? game.deal.failure?.reason : nil
        cards = isShown ? CardView.all(of: game) : []
        hasCards = !cards.isEmpty
        category = isIdle ? state.categories.current.rawValue : game.category.rawValue
    }
}
