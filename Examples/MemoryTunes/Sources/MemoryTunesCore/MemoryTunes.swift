// SPDX-License-Identifier: MIT

import Onward
public import OnwardNavigation

/// The whole state of the app.
public struct MemoryTunes: Codable, Sendable {
    /// Where each tab is.
    public var routing = RouteTabs<Screen>()
    /// The first screen.
    public internal(set) var menu = Menu()
    /// The music to choose from.
    public var categories = Categories()
    /// The game that is played, or was.
    public var game = Game()

    /// The menu is the program's own, and isn't written.
    private enum CodingKeys: String, CodingKey { case routing, categories, game }

    /// The state of a launch, with what the last one saved.
    public init(_ saved: SavedState? = nil) {
        categories = Categories(current: saved?.currentCategoryKey)
        game = saved?.game ?? Game()
    }

    /// What the next launch is to know.
    public var saved: SavedState {
        SavedState(currentCategoryKey: categories.current.rawValue, game: game)
    }

    /// Whether a tab shows the game.
    var isGameShown: Bool { tabAtGame != nil }
    /// The first tab that shows the game.
    var tabAtGame: String? { routing.open.first { $0.routes.current == .game }?.id }
    /// Whether a tab shows a game that there isn't yet, as behind a link from outside.
    var isGameDue: Bool { game.deal.isIdle && isGameShown }
    /// The game that needs covers; none once all tabs have left it.
    ///
    /// What a tab without script shows is not known: its game is dealt, whatever other tabs show.
    var awaited: Int? {
        isGameShown || game.tab == nil || routing.open.isEmpty ? game.awaited : nil
    }
    /// Whether time goes by: a game is played, and a tab shows it.
    var isClockRunning: Bool { game.isPlaying && isGameShown }
}
