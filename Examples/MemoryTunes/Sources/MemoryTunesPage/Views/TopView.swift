// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward

/// The line on top: where one is, and the way back to the menu.
struct TopView: Equatable, Sendable {
    let title: String
    let hasWayBack: Bool

    init(_ state: MemoryTunes, at screen: Screen) {
        title =
            switch screen {
            case .menu: state.menu.title
            case .categories: "Categories"
            case .game: state.game.deal.isIdle ? "Game" : state.game.category.rawValue
            case .notFound: "Nothing here"
            }
        hasWayBack = screen == .categories || screen == .game
    }
}
