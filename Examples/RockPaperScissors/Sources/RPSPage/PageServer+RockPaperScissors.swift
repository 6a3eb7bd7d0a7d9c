// SPDX-License-Identifier: MIT

public import Onward
public import OnwardServer
public import RockPaperScissorsCore

extension PageServer<Game> {
    /// The game on a web server: one store for everybody, so every tab shows the same game.
    ///
    /// - Parameters:
    ///   - hosting: Whose game is shown; that of a new store in memory unless given.
    ///   - reports: What records the game, so that players can report a problem; nil for no such button.
    ///   - options: Where to serve it.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func rockPaperScissors(
        hosting: Hosting<Game> = .shared(Store(Game()) { RockPaperScissorsCore.rockPaperScissors }),
        reports: GameReports? = nil, options: ServerOptions = ServerOptions()
    ) throws -> PageServer<Game> {
        PageServer(
            try .rockPaperScissors(canReport: reports != nil),
            hosting: hosting,
            assets: [
                Asset(
                    path: "/page.css", contentType: "text/css; charset=utf-8",
                    bytes: PackageResources.page_css),
                drawing("/rock.svg", PackageResources.rock_svg),
                drawing("/paper.svg", PackageResources.paper_svg),
                drawing("/scissors.svg", PackageResources.scissors_svg),
                drawing("/chosen.svg", PackageResources.chosen_svg),
                drawing("/confetti.svg", PackageResources.confetti_svg),
            ],
            folders: reports.map { [$0.files] } ?? [],
            options: options)
    }

    private static func drawing(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: bytes)
    }
}
