// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// What stands below the cards: a note on their origin, and the way into another game.
struct FootView: Equatable, Sendable {
    let isShown: Bool
    let isFinished: Bool
    let hasOwnCovers: Bool
    let category: String

    init(_ state: MemoryTunes, at screen: Screen) {
        isShown = screen == .game && !state.game.cards.isEmpty
        isFinished = state.game.isFinished
        hasOwnCovers = state.game.hasOwnCovers
        category = state.categories.current.rawValue
    }
}
