// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import HummingbirdTesting
import Onward
import OnwardReports
import OnwardServer
import RPSPage
import RockPaperScissorsCore
import Testing

/// Players can report a problem: what is downloaded is the game itself.
@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("rps-reports-\(UUID().uuidString)").path
    private let path = "/reports/problem.onwardreport"

    /// Serves a new game that is recorded.
    private func play(_ body: @Sendable (PageClient) async throws -> Void) async throws {
        let store = Store(Game()) { rockPaperScissors }
        let reports = try GameReports(of: store, in: folder)
        let server = try PageServer.rockPaperScissors(
            hosting: .shared(store), reports: reports, options: ServerOptions(port: 0))
        try await server.application().test(.router) { client in
            try await body(PageClient(client: client, store: store))
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `the report of a round is offered at its end, and leads to the same game`()
        async throws
    {
        try await play { game in
            #expect(try await !game.page().contains(path))
            try await game.press(.weapon(.rock))
            try await game.press(.weapon(.scissors))
            #expect(try await game.page().contains(#"href="\#(path)" download"#))
            let answer = try await game.get(path)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/octet-stream")
            let text = String(buffer: try await game.get("/reports/problem.txt").body)
            #expect(text.contains("lead to the same course") && text.contains("GameAction/choose"))
            let report = try Report(bytes: Array(buffer: answer.body))
            #expect(report.app == "Rock, paper, scissors")
            #expect(report.redaction?.isFaithful == true)
            let session: ReplayedReport<Game> = try report.replayed(in: rockPaperScissors)
            #expect(session.store.state == game.store.state)
            // A long game is reduced to what a test of the rules would have.
            for _ in 0..<20 {
                try await game.press(.playAgain)
                try await game.press(.weapon(.paper))
                try await game.press(.weapon(.paper))
            }
            let long = try Report(bytes: Array(buffer: try await game.get(path).body))
            #expect(long.entries.count == 62)
            let shortest = try long.shortest(in: rockPaperScissors) { (game: Game) in
                game.score.player1 > game.score.player2
            }
            #expect(shortest.entries.count == 2)
        }
    }

    @Test(arguments: Weapon.allCases)
    func `while a round is played nothing is reported, whatever was chosen`(weapon: Weapon)
        async throws
    {
        try await play { game in
            #expect(try await game.get(path).status == .notFound)
            try await game.press(.weapon(weapon))
            #expect(try await game.get("/reports/problem.txt").status == .notFound)
            #expect(try await game.get(path).status == .notFound)
            #expect(try await !game.page().contains(path))
        }
    }

    @Test func `a game that is not recorded offers no report`() async throws {
        try await PageClient.play { game in
            try await game.press(.weapon(.rock))
            try await game.press(.weapon(.paper))
            #expect(try await !game.page().contains("Report a problem"))
            #expect(try await game.get(path).status == .notFound)
        }
    }
}
