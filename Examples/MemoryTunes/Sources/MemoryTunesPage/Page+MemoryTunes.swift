// SPDX-License-Identifier: MIT

public import MemoryTunesCore
import Mustache
import Onward
import OnwardNavigation
public import OnwardServer

extension Page<MemoryTunes> {
    /// The app as a page of three screens.
    ///
    /// The cards expect the game for which they were drawn, so a late click never plays in another.
    ///
    /// - Parameter canReport: Whether players can report a problem.
    /// - Returns: The page.
    /// - Throws: The parser's error when a template has a mistake.
    public static func memoryTunes(canReport: Bool = false) throws -> Page<MemoryTunes> {
        try Page(
            tabs: \.routing, codec: Screen.codec, title: { $0.title }, templates: templates(),
            accepts: [CategoriesAction.self, GameAction.self, NavigationAction<Screen>.self],
            expects: { "game \($0.game.number)" }
        ) { state, routes in
            let screen = routes.current
            return [
                Fragment("top", model: TopView(state, at: screen)),
                Fragment("menu", model: MenuView(state, at: screen)),
                Fragment("categories", model: CategoriesView(state, at: screen)),
                Fragment("stats", model: StatsView(state.game, at: screen)),
                Fragment("board", model: BoardView(state, at: screen)),
                Fragment("foot", model: FootView(state, at: screen)),
                Fragment("end", model: EndView(state, at: screen)),
                Fragment("report", model: ReportView(canReport: canReport)),
                Fragment("news", model: NewsView(state, at: screen)),
            ]
        }
    }

    private static func templates() throws -> MustacheLibrary {
        let sources = [
            "layout": PackageResources.layout_mustache, "top": PackageResources.top_mustache,
            "menu": PackageResources.menu_mustache,
            "categories": PackageResources.categories_mustache,
            "stats": PackageResources.stats_mustache, "board": PackageResources.board_mustache,
            "foot": PackageResources.foot_mustache, "end": PackageResources.end_mustache,
            "report": PackageResources.report_mustache, "news": PackageResources.news_mustache,
        ]
        return MustacheLibrary(
            templates: try sources.mapValues {
                try MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
    }
}

extension Screen {
    /// The document's title.
    fileprivate var title: String {
        switch self {
        case .menu: "MemoryTunes"
        case .categories: "Categories – MemoryTunes"
        case .game: "Game – MemoryTunes"
        case .notFound: "Nothing here – MemoryTunes"
        }
    }
}
