// SPDX-License-Identifier: MIT

import Hummingbird
import HummingbirdTesting
import RockPaperScissorsCore
import Testing

/// Player 1's weapon leaves the server only with the end of the round.
///
/// The words rock, paper and scissors stand on the buttons of every page, so looking for a word
/// proves nothing. What proves it: before the end, every byte is the same whichever weapon it was.
@Suite(.timeLimit(.minutes(5))) struct SecrecyTests {
    @Test func `before the end every response is the same whichever weapon was chosen`()
        async throws
    {
        var seen: [[String]] = []
        for weapon in Weapon.allCases {
            seen.append(
                try await PageClient.play { game in
                    let first = try await Button.weapon(weapon).fields(in: game.page())
                    var responses = [try await game.post(first), try await game.post(first)]
                    responses.append(
                        try await game.post(first.replacing(/request=[^&]+/, with: "request=late")))
                    responses.append(try await game.post("type=GameAction%2Fchoose&weapon=well"))
                    for path in ["/", "/nothing", "/page.css"] {
                        responses.append(try await game.get(path))
                    }
                    return responses.map { response in
                        let headers = response.headers.map { "\($0.name): \($0.value)" }
                        return
                            ([response.status.description] + headers.sorted()
                            + [String(buffer: response.body)])
                            .joined(separator: "\n").withoutChance
                    }
                })
        }
        #expect(seen[0].count == 7)
        #expect(seen[1] == seen[0])
        #expect(seen[2] == seen[0])
    }

    @Test(arguments: Weapon.allCases)
    func `before the end every event is the same whichever weapon was chosen`(second: Weapon)
        async throws
    {
        var seen: [String] = []
        for first in Weapon.allCases {
            seen.append(
                try await PageClient.play(.live) { game in
                    let port = try #require(game.client.port)
                    let path = try await game.page().firstMatch(of: /data-events="([^"]+)"/)?.1
                    return try await EventStream.open(port: port, path: String(#require(path))) {
                        stream in
                        try await stream.read(until: "text/event-stream")
                        try await game.press(.weapon(first))
                        try await stream.read(until: "PLAYER 2 - Choose")
                        try await game.press(.weapon(second))
                        try await stream.read(until: RoundTests.message(first, second))
                        let end = try #require(stream.received.events.firstIndex { $0.isTheEnd })
                        return stream.received.events[..<end].joined(separator: "\n\n")
                            .withoutChance
                    }
                })
        }
        #expect(seen[0].contains("PLAYER 2 - Choose"))
        #expect(seen[0].contains("chosen"))
        #expect(seen[1] == seen[0])
        #expect(seen[2] == seen[0])
    }
}

extension String {
    /// The events of a stream, the headers first.
    fileprivate var events: [String] {
        replacing("\r\n", with: "\n").split(separator: "\n\n").map(String.init)
    }

    /// Whether this event ends a round.
    fileprivate var isTheEnd: Bool { contains("WINS!") || contains("DRAW!") }

    /// The text without what differs from run to run: ids, dates, and the sizes of chunks.
    fileprivate var withoutChance: String {
        replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "ID")
            .replacing(/[0-9a-f]{16,}/, with: "ID")
            .replacing(/[Dd]ate: [^\n]*/, with: "Date")
    }
}
