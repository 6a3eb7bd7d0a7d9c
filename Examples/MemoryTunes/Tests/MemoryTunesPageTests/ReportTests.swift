// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import HummingbirdTesting
import MemoryTunesCore
import MemoryTunesPage
import Onward
import OnwardJournal
import OnwardReports
import Testing

/// Players can report a problem: what is downloaded is the game itself, without what the catalogue said.
@Suite struct ReportTests {
    private let temporary = TemporaryFolder()
    private let path = "/reports/problem.onwardreport"

    @Test func `a game is downloaded, leads to the same cards, and can be read before`()
        async throws
    {
        try await App.run(in: temporary.url, canReport: true) { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            var page = try await visitor.game()
            #expect(page.contains(#"href="\#(path)" download"#))
            for card in 0..<4 { try await visitor.press("card-\(card)", on: "/game") }
            page = try await visitor.page("/game")

            let answer = try await visitor.get(path)
            #expect(answer.status == .ok)
            let report = try Report(bytes: Array(buffer: answer.body))
            #expect(report.app == "MemoryTunes")
            #expect(report.redaction?.course == .same)
            let session: ReplayedReport<MemoryTunes> = try report.replayed(in: memoryTunesReducers)
            let game = session.store.state.game
            #expect(
                game.cards.map(\.face.rawValue)
                    == page.cards.map { $0 == "closing" ? "closed" : $0 })
            // A report of a problem is for whoever mends it: it has no album.
            let text = String(buffer: try await visitor.get("/reports/problem.txt").body)
            #expect(text.contains("GameAction/flip") && text.contains("to the same course"))
            let file = String(decoding: Array(buffer: answer.body), as: UTF8.self)
            for secret in ["Lemonade Weather", "Balcony Hearts", "covers/pop", "127.0.0.1"] {
                #expect(!text.contains(secret) && !file.contains(secret), "\(secret)")
            }
        }
    }

    @Test func `a report is nobody else's`() async throws {
        try await App.run(in: temporary.url, canReport: true) { app in
            let (emma, jane) = (app.visitor(), app.visitor())
            try await emma.press("to/game", on: "/")
            _ = try await emma.game()
            #expect(try await jane.get(path).status == .notFound)
            _ = try await jane.page()
            _ = try await jane.page()
            let report = try Report(bytes: Array(buffer: try await jane.get(path).body))
            #expect(report.entries.allSatisfy { $0.name != "GameAction/start" })
            #expect(try await emma.get("/reports/other").status == .notFound)
        }
    }

    @Test func `games that aren't recorded offer no report`() async throws {
        try await App.run(in: temporary.url) { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            #expect(try await !visitor.game().contains("Report a problem"))
            #expect(try await visitor.get(path).status == .notFound)
        }
    }

    @Test func `of what crashes have left the newest hundred stay`() throws {
        let folder = temporary.url.appendingPathComponent("reports")
        _ = try GameReports(in: folder.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        for number in 1...102 {
            let left = folder.appendingPathComponent("\(number)")
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))],
                ofItemAtPath: left.path)
        }
        _ = try GameReports(in: folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set((3...102).map { "\($0)" }))
    }
}
