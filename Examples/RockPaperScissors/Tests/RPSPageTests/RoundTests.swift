// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Onward
import RockPaperScissorsCore
import Testing

@Suite struct RoundTests {
    /// The nine pairs.
    static let pairs = Weapon.allCases.flatMap { first in Weapon.allCases.map { (first, $0) } }

    /// What is to be read when `first` meets `second`.
    static func message(_ first: Weapon, _ second: Weapon) -> String {
        switch (first, second) {
        case (.rock, .scissors), (.scissors, .paper), (.paper, .rock): "PLAYER 1 WINS!"
        case (.scissors, .rock), (.paper, .scissors), (.rock, .paper): "PLAYER 2 WINS!"
        case (.rock, .rock), (.paper, .paper), (.scissors, .scissors): "DRAW!"
        }
    }

    @Test(arguments: pairs)
    func `a round is played by plain forms`(first: Weapon, second: Weapon) async throws {
        try await PageClient.play { game in
            var page = try await game.page()
            #expect(page.contains("PLAYER 1 - Choose your weapon:"))
            #expect(page.squares == ["", ""])

            let answer = try await game.press(.weapon(first))
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/")
            page = try await game.page()
            #expect(page.contains("PLAYER 2 - Choose your weapon:"))
            #expect(page.squares == ["chosen", ""])

            try await game.press(.weapon(second))
            page = try await game.page()
            #expect(page.contains(Self.message(first, second)))
            #expect(page.squares == [first.name, second.name])
            #expect(page.matches(of: /<button[^>]*disabled/).count == 3)

            try await game.press(.playAgain)
            page = try await game.page()
            #expect(page.contains("PLAYER 1 - Choose your weapon:"))
            #expect(page.contains("Round 2"))
            #expect(page.squares == ["", ""])
            #expect(!page.contains("disabled"))
        }
    }

    @Test func `a repeated request plays once`() async throws {
        try await PageClient.play { game in
            let fields = try await Button.weapon(.rock).fields(in: game.page())
            let answers = [try await game.post(fields), try await game.post(fields)]
            #expect(answers.map(\.status) == [.seeOther, .seeOther])
            #expect(game.store.log.version == 1)
            #expect(try await game.page().squares == ["chosen", ""])
        }
    }

    @Test func `a late request plays nothing and is shown the game as it is`() async throws {
        try await PageClient.play { game in
            let late = try await Button.weapon(.rock).fields(in: game.page())
            let later = late.replacing(/request=[^&]+/, with: "request=another-request")
            try await game.press(.weapon(.paper))
            let answer = try await game.post(later)
            #expect(answer.status == .conflict)
            #expect(String(buffer: answer.body).contains("PLAYER 2 - Choose your weapon:"))
            #expect(game.store.log.version == 1)
        }
    }

    @Test func `of many who choose at once in one turn, one plays`() async throws {
        try await PageClient.play { game in
            let fields = try await Button.weapon(.rock).fields(in: game.page())
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for n in 0..<16 {
                    group.addTask {
                        try await game.post(
                            fields.replacing(/request=[^&]+/, with: "request=finger-\(n)")
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .seeOther } == 1)
            #expect(statuses.count { $0 == .conflict } == 15)
            #expect(game.store.log.version == 1)
        }
    }

    @Test func `a choice after the end and another round before it change nothing`() async throws {
        try await PageClient.play { game in
            let early = try await Button.playAgain.fields(in: game.page())
            try await game.post(early)
            #expect(game.store.state == Game())
            try await game.press(.weapon(.rock))
            try await game.press(.weapon(.paper))
            let over = game.store.state
            let weapon = try await Button.weapon(.scissors).fields(in: game.page())
            try await game.post(weapon)
            #expect(game.store.state == over)
        }
    }

    @Test func `reading never plays`() async throws {
        try await PageClient.play { game in
            let fields = try await Button.weapon(.rock).fields(in: game.page())
            for path in ["/", "/?\(fields)", "/page.css", "/nothing?\(fields)"] {
                _ = try await game.get(path)
            }
            #expect(game.store.log.version == 0)
        }
    }
}

extension String {
    /// The texts of the two squares, as a reader of the page sees them.
    var squares: [String] {
        matches(of: /<div class="square [^>]*>(.*?)<\/div>/).map {
            String($0.1.replacing(/<[^>]+>/, with: ""))
        }
    }
}
