// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MemoryTunesCore
import Testing

@Suite struct GamePageTests {
    private let temporary = TemporaryFolder()

    private func run<Result: Sendable>(
        catalogue: String? = nil, _ body: @Sendable (App) async throws -> Result
    ) async throws -> Result {
        try await App.run(in: temporary.url, catalogue: catalogue, body)
    }

    @Test func `a whole game is played by plain forms`() async throws {
        try await run { app in
            let visitor = app.visitor()
            let answer = try await visitor.press("to/game", on: "/")
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/game")
            var page = try await visitor.game()
            #expect(page.cards == Array(repeating: "closed", count: 16))

            // Learns each cover by turning all cards once, two at a time.
            var covers: [Int: String] = [:]
            for card in 0..<16 where page.cards[card] != "guessed" {
                try await visitor.press("card-\(card)", on: "/game")
                page = try await visitor.page("/game")
                let cover = try #require(page.picture(of: card))
                covers[card] = cover
            }
            for card in 0..<16 where page.cards[card] != "guessed" {
                let pair = covers.keys.sorted().filter { covers[$0] == covers[card] }
                #expect(pair.count == 2)
                for card in pair { try await visitor.press("card-\(card)", on: "/game") }
                page = try await visitor.page("/game")
                if page.cards[card] == "guessed" { continue }
                // A card that lay open already closed with the first tap.
                for card in pair { try await visitor.press("card-\(card)", on: "/game") }
                page = try await visitor.page("/game")
                #expect(page.cards[card] == "guessed")
            }
            #expect(page.contains("Congratulations!"))
            #expect(page.contains("You've finished the game!") || page.contains("You&#39;ve"))
            try await visitor.press("ok", on: "/game")
            page = try await visitor.page("/game")
            #expect(!page.contains("Congratulations!"))
            #expect(page.cards == Array(repeating: "guessed", count: 16))
            #expect(page.pictures.count == 16)
        }
    }

    @Test func `a closed card's cover is nowhere in the page`() async throws {
        try await run { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            var page = try await visitor.game()
            #expect(page.pictures == [])
            try await visitor.press("card-4", on: "/game")
            page = try await visitor.page("/game")
            #expect(page.pictures.count == 1)
            #expect(!page.contains(":44") || !page.contains("/covers/pop/"))
            #expect(page.matches(of: /aria-label="Row [0-9], column [0-9]: closed"/).count == 15)
        }
    }

    @Test func `reading never plays, whatever is read`() async throws {
        try await run { app in
            let visitor = app.visitor()
            for path in [
                "/game", "/categories", "/", "/game?type=GameAction/start", "/covers/x", "/nothing",
            ] {
                _ = try await visitor.get(path)
            }
            #expect(try await visitor.page("/game").contains("There is no game yet."))
        }
    }

    @Test(arguments: [
        ("/", "<h1 tabindex=\"-1\" id=\"title\">Menu</h1>"), ("/categories", "Electronic"),
        ("/game", "There is no game yet."),
    ])
    func `a deep link opens the right screen`(path: String, content: String) async throws {
        try await run { app in
            let response = try await app.visitor().get(path)
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).contains(content))
        }
    }

    @Test func `an unknown address is a screen of its own, with a way back`() async throws {
        try await run { app in
            let response = try await app.visitor().get("/nowhere")
            #expect(response.status == .notFound)
            #expect(String(buffer: response.body).contains("id=\"home\""))
        }
    }

    @Test func `the categories mark the current one only, and a tap stays on the screen`()
        async throws
    {
        try await run { app in
            let visitor = app.visitor()
            for name in ["Pop", "Metal", "Rap"] {
                if name != "Pop" {
                    let answer = try await visitor.press(name, on: "/categories")
                    #expect(answer.headers[.location] == "/categories")
                }
                let page = try await visitor.page("/categories")
                let names = page.matches(of: /<button class="category" id="([A-Za-z]+)"/)
                #expect(
                    names.map { String($0.1) } == ["Pop", "Electronic", "Rock", "Metal", "Rap"])
                #expect(page.matches(of: /aria-pressed="true"/).count == 1)
                #expect(page.contains(#"value="\#(name)" aria-pressed="true""#))
                #expect(page.matches(of: /✓/).count == 1)
            }
        }
    }

    @Test func `two visitors play games of their own`() async throws {
        try await run { app in
            let (one, two) = (app.visitor(), app.visitor())
            try await one.press("Rock", on: "/categories")
            try await one.press("to/game", on: "/")
            _ = try await one.game()
            try await one.press("card-0", on: "/game")
            #expect(try await two.page("/game").contains("There is no game yet."))
            #expect(try await two.page("/categories").contains(#"value="Pop" aria-pressed="true""#))
        }
    }

    @Test func `a half-played game and the category survive a restart of the program`()
        async throws
    {
        let (cookie, before) = try await run { app in
            let visitor = app.visitor()
            try await visitor.press("Metal", on: "/categories")
            try await visitor.press("to/game", on: "/")
            _ = try await visitor.game()
            for card in [0, 1, 2] { try await visitor.press("card-\(card)", on: "/game") }
            return (visitor.cookie, try await visitor.page("/game").cards)
        }
        try await run { app in
            let visitor = app.visitor(cookie: cookie)
            let page = try await visitor.page("/game")
            #expect(page.cards == before)
            #expect(page.contains(">Metal</h1>"))
            #expect(page.contains(#"<dd id="moves">1</dd>"#))
            #expect(visitor.cookie == cookie)
            let picture = try await visitor.get(try #require(page.pictures.first))
            #expect(picture.headers[.contentType] == "image/png")
            #expect(
                try await visitor.page("/categories").contains(
                    #"value="Metal" aria-pressed="true""#))
        }
        try await run { app in
            let page = try await app.visitor().page("/game")
            #expect(page.contains("There is no game yet."))
        }
    }

    @Test(arguments: [
        "onward-MemoryTunes=0123456789abcdef0123456789abcdef-0123456789abcdef",
        "onward-MemoryTunes=../x", "a=b",
    ])
    func `a cookie that was never given out is replaced`(cookie: String) async throws {
        try await run { app in
            let visitor = app.visitor(cookie: cookie)
            let response = try await visitor.get("/")
            #expect(response.status == .ok)
            let new = try #require(response.headers[.setCookie])
            #expect(!new.contains("0123456789abcdef"))
            #expect(new.contains("HttpOnly"))
            #expect(new.contains("Max-Age="))
        }
    }

    @Test func `a catalogue that fails shows the reason and a button to try again`() async throws {
        try await run(catalogue: "http://127.0.0.1:1") { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            let page = try await visitor.game()
            #expect(page.contains("The catalogue can't be reached.") || page.contains("can&#39;t"))
            #expect(page.contains(">Try again</button>"))
            let again = try await visitor.press("again", on: "/game")
            #expect(again.status == .seeOther)
            #expect(try await visitor.game().contains(">Try again</button>"))
        }
    }

    @Test
    func `a catalogue that can't be reached is replaced where that is wanted, and that is said`()
        async throws
    {
        for fallsBack in [true, false] {
            try await App.run(
                in: temporary.url, catalogue: "http://127.0.0.1:1", fallsBack: fallsBack
            ) { app in
                let visitor = app.visitor()
                try await visitor.press("to/game", on: "/")
                let page = try await visitor.game()
                #expect(page.cards.count == (fallsBack ? 16 : 0))
                #expect(page.contains("so these covers are our own.") == fallsBack)
            }
        }
    }

    @Test func `a late click in an older game plays nothing`() async throws {
        try await run { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            _ = try await visitor.game()
            try await visitor.press("new-game", on: "/game")
            _ = try await visitor.game()
            let late = "type=GameAction/flip&card=3&request=late-request&expects=game+1"
            #expect(try await visitor.post(late, to: "/game").status == .conflict)
            #expect(try await visitor.page("/game").cards.allSatisfy { $0 == "closed" })
        }
    }

    @Test func `a click that is sent again after a restart plays once`() async throws {
        let start = "type=GameAction/start&category=Rap&request=request-1"
        let cookie = try await run { app in
            let visitor = app.visitor()
            _ = try await visitor.page()
            #expect(try await visitor.post(start).status == .seeOther)
            #expect(try await visitor.game().cards.count == 16)
            try await visitor.press("card-3", on: "/game")
            return visitor.cookie
        }
        try await run { app async throws in
            let visitor = app.visitor(cookie: cookie)
            #expect(try await visitor.post(start).status == .seeOther)
            #expect(try await visitor.page("/game").cards.count { $0 == "open" } == 1)
        }
    }

    @Test func `a visitor has the catalogue searched a few times a minute`() async throws {
        try await run { app in
            let (visitor, other) = (app.visitor(), app.visitor())
            for _ in 0..<12 {
                try await visitor.press("to/game", on: "/")
                #expect(try await visitor.game().cards.count == 16)
            }
            try await visitor.press("to/game", on: "/")
            #expect(try await visitor.game().contains("Please wait a minute."))
            try await other.press("to/game", on: "/")
            #expect(try await other.game().cards.count == 16)
        }
    }

    @Test(arguments: [
        "type=GameEvent/tick", "type=GameEvent/dealt&game=1&seed=1",
        "type=GameEvent/failed&game=1", "type=GameAction/tick", "type=Tabs.Screen/open",
        "type=Nothing/x",
        "type=GameAction/flip&card=x", "type=GameAction/start&category=Jazz",
        "type=CategoriesAction/choose&category=", "type=GameAction/flip&card=99999999999999999999",
    ])
    func `what only the app itself may say is refused`(fields: String) async throws {
        try await run { app in
            let visitor = app.visitor()
            try await visitor.press("to/game", on: "/")
            let before = try await visitor.game()
            let answer = try await visitor.post("\(fields)&request=stranger-1", to: "/game")
            #expect((400..<500).contains(answer.status.code))
            let after = try await visitor.game()
            #expect(after.cards == before.cards)
            #expect(after.contains(#"<dd id="time">0:00</dd>"#))
        }
    }
}

extension String {
    /// The picture of a card that shows one.
    fileprivate func picture(of card: Int) -> String? {
        guard let place = firstRange(of: "id=\"card-\(card)\"") else { return nil }
        return self[place.upperBound...].prefix { $0 != "\n" }
            .firstMatch(of: /\/covers\/[0-9a-f]+/).map { String($0.0) }
    }
}
