// SPDX-License-Identifier: MIT

import Mustache
import Onward
public import OnwardServer
public import RockPaperScissorsCore

extension Page<Game> {
    /// The game as a page: six fragments, each a template and a view of the state.
    ///
    /// Its buttons expect the round and the turn for which they were drawn, so a late or repeated
    /// click never plays in another.
    ///
    /// - Parameter canReport: Whether players can report a problem.
    /// - Returns: The page.
    /// - Throws: The parser's error when a template has a mistake.
    public static func rockPaperScissors(canReport: Bool = false) throws -> Page<Game> {
        try Page(
            title: "Rock, paper, scissors",
            templates: templates(),
            accepts: [GameAction.self],
            expects: \.moment
        ) { game in
            [
                Fragment("round", model: RoundView(game)),
                Fragment("message", model: MessageView(game)),
                Fragment("board", model: BoardView(game)),
                Fragment("weapons", model: WeaponsView(game)),
                Fragment("next", model: NextView(game)),
                Fragment("report", model: ReportView(game, canReport: canReport)),
            ]
        }
    }

    private static func templates() throws -> MustacheLibrary {
        let sources = [
            "layout": PackageResources.layout_mustache,
            "round": PackageResources.round_mustache,
            "message": PackageResources.message_mustache,
            "board": PackageResources.board_mustache,
            "weapons": PackageResources.weapons_mustache,
            "next": PackageResources.next_mustache,
            "report": PackageResources.report_mustache,
        ]
        return MustacheLibrary(
            templates: try sources.mapValues {
                try MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
    }
}

extension Game {
    /// What a button was drawn for: "round 3 two", or "round 3 over".
    var moment: String {
        "round \(round) \(result == nil ? turn.side : "over")"
    }
}
