// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import MemoryTunesCore

@Suite struct GameTests {
    @Test func `a new game has no cards, loads, and isn't finished`() {
        let play = Play.dealt()
        play.finish()
        play.start(.rock)
        #expect(play.game.cards.isEmpty)
        #expect(play.game.deal.isLoading)
        #expect(play.game.category == .rock)
        #expect(play.game.number == 2)
        #expect(play.game.moves == 0)
        #expect(play.game.seconds == 0)
        #expect(!play.game.isCongratulating)
    }

    @Test func `the first eight different covers are dealt, two cards each`() {
        let play = Play()
        play.start()
        let many = covers(12)
        play.deal([many[3], many[3], many[0], many[3]] + many)
        let expected = [3, 0, 1, 2, 4, 5, 6, 7].map { many[$0] }
        #expect(play.game.isPlaying)
        #expect(play.game.cards.map(\.id) == Array(0..<16))
        #expect(Set(play.game.cards.map(\.cover)) == Set(expected))
        for cover in expected { #expect(play.game.cards.count { $0.cover == cover } == 2) }
        #expect(play.faces.allSatisfy { $0 == .closed })
    }

    @Test func `covers with one address are the same, whatever they are called`() {
        let play = Play()
        play.start()
        play.deal((0..<20).map { Cover(address: "https://a.example/same", title: "\($0)") })
        #expect(play.game.deal == .failed(.tooFewCovers(found: 1)))
    }

    @Test func `the same seed deals the same cards, and another seed others`() {
        let cards = (1...3).map { Play.dealt(seed: UInt64($0)).game.cards }
        #expect(Play.dealt(seed: 1).game.cards == cards[0])
        #expect(cards[0] != cards[1])
        #expect(cards[1] != cards[2])
    }

    @Test func `the places for a seed stay what saved logs were played with`() {
        let letters = Play.dealt(seed: 7).game.cards.map {
            $0.cover.title.last.map(String.init) ?? ""
        }
        #expect(letters.joined() == "7321256016754043")
    }

    @Test(arguments: 0..<8)
    func `fewer than eight different covers are a problem with its reason`(count: Int) {
        let play = Play()
        play.start()
        play.deal(covers(count) + covers(count))
        #expect(play.game.deal == .failed(.tooFewCovers(found: count)))
        #expect(play.game.cards.isEmpty)
    }

    @Test func `covers and problems of another game are ignored`() {
        let play = Play()
        play.start()
        play.start()
        let waiting = play.game
        let late: [GameEvent] = [
            .dealt(game: 1, covers: covers(8), isOwn: false, seed: 1),
            .failed(game: 1, problem: .unreachable),
            .dealt(game: 3, covers: covers(8), isOwn: false, seed: 1),
        ]
        for action in late { play.store.dispatch(action) }
        #expect(play.game == waiting)
        play.deal()
        let dealt = play.game
        for action in late { play.store.dispatch(action) }
        play.store.dispatch(GameEvent.failed(game: 2, problem: .timedOut))
        play.deal(covers(9), seed: 5)
        #expect(play.game == dealt)
    }

    @Test func `a problem can be tried again`() {
        let play = Play()
        play.start()
        play.store.dispatch(GameEvent.failed(game: 1, problem: .status(500)))
        #expect(play.game.deal == .failed(.status(500)))
        play.start()
        #expect(play.game.deal.isLoading)
        play.deal()
        #expect(play.game.isPlaying)
    }

    @Test(arguments: 0..<16)
    func `a tapped card opens, and one open card does nothing more`(card: Int) {
        let play = Play.dealt()
        play.flip(card)
        #expect(play.faces[card] == .open)
        #expect(play.faces.count { $0 == .closed } == 15)
        #expect(play.game.moves == 0)
        #expect(play.game.isPlaying)
    }

    @Test func `two equal covers are guessed`() {
        let play = Play.dealt()
        let (first, second) = play.pair(of: 0)
        play.flip(first)
        play.flip(second)
        #expect(play.faces[first] == .guessed)
        #expect(play.faces[second] == .guessed)
        #expect(play.faces.count { $0 == .closed } == 14)
        #expect(play.game.pairs == 1)
        #expect(play.game.moves == 1)
    }

    @Test func `two different covers stay open, and a third tap closes them and opens its card`() {
        let play = Play.dealt()
        let second = play.stranger(to: 0)
        play.flip(0)
        play.flip(second)
        #expect(play.faces[0] == .open)
        #expect(play.faces[second] == .open)
        #expect(play.game.moves == 1)
        #expect(play.game.closing == [])
        let third = (0..<16).first { $0 != 0 && $0 != second } ?? 0
        play.flip(third)
        #expect(play.faces.enumerated().filter { $0.element == .open }.map(\.offset) == [third])
        #expect(Set(play.game.closing) == [0, second])
        #expect(play.game.moves == 1)
        play.flip(0)
        #expect(play.game.closing == [])
    }

    @Test func `the third tap may be the match of one that closes`() {
        let play = Play.dealt()
        let (first, match) = play.pair(of: 0)
        let second = play.stranger(to: 0)
        for card in [first, second, match] { play.flip(card) }
        #expect(play.faces[first] == .closed)
        #expect(play.faces[match] == .open)
        #expect(play.game.pairs == 0)
    }

    @Test func `tapping an open or guessed card, or one that isn't there, changes nothing`() {
        let play = Play.dealt()
        let (first, second) = play.pair(of: 0)
        let other = play.stranger(to: 0)
        play.flip(first)
        play.flip(second)
        play.flip(other)
        let before = play.game
        for card in [first, second, other, -1, 16, .max, .min] {
            play.flip(card)
            #expect(play.game == before)
        }
        let match = play.pair(of: other).1
        play.flip((0..<16).first { play.faces[$0] == .closed && $0 != match } ?? 0)
        let two = play.game
        #expect(two.cards.count { $0.face == .open } == 2)
        for card in two.cards where card.face == .open { play.flip(card.id) }
        #expect(play.game == two)
    }

    @Test func `taps while there are no cards change nothing`() {
        let play = Play()
        play.flip(0)
        #expect(play.game == Game())
        play.start()
        let loading = play.game
        play.flip(0)
        #expect(play.game == loading)
    }

    @Test(arguments: UInt64(1)...5)
    func `when all are guessed the game is over, said once, and the cards stay`(seed: UInt64) {
        let play = Play.dealt(seed: seed)
        play.finish()
        #expect(play.game.isFinished)
        #expect(play.game.isCongratulating)
        #expect(play.game.pairs == 8)
        #expect(play.game.moves == 8)
        #expect(play.faces.allSatisfy { $0 == .guessed })
        let cards = play.game.cards
        play.store.dispatch(GameAction.acknowledge)
        #expect(!play.game.isCongratulating)
        #expect(play.game.cards == cards)
        let over = play.game
        for card in 0..<16 { play.flip(card) }
        play.store.dispatch(GameAction.acknowledge)
        #expect(play.game == over)
    }

    @Test func `before the last pair nothing is said`() {
        let play = Play.dealt()
        let said = Recorder(of: play.store, \.isCongratulating)
        for card in [0, play.stranger(to: 0), 5, 9, 2, 0] { play.flip(card) }
        #expect(play.game.pairs < 8)
        #expect(said.values == [])
        play.finish()
        #expect(said.values == [true])
    }

    @Test func `time goes by while the game is played, and at no other time`() {
        let play = Play()
        let tick = { _ = play.store.dispatch(GameEvent.tick) }
        tick()
        play.start()
        tick()
        #expect(play.game.seconds == 0)
        play.deal()
        tick()
        tick()
        #expect(play.game.seconds == 2)
        play.finish()
        tick()
        #expect(play.game.seconds == 2)
    }

    @Test func `whatever is tapped, the cards stay in order`() {
        rules.check(
            from: Play.dealt().game,
            always: [
                "at most two cards are open": { $0.cards.count { $0.face == .open } <= 2 },
                "guessed cards come in pairs": { game in
                    let guessed = game.cards.filter { $0.face == .guessed }
                    return guessed.allSatisfy { card in
                        guessed.count { $0.cover == card.cover } == 2
                    }
                },
                "a game is over exactly when all are guessed": {
                    $0.isFinished == $0.cards.allSatisfy { $0.face == .guessed }
                },
            ],
            eachStep: [
                "what is guessed stays so": { before, _, after in after.pairs >= before.pairs },
                "a move is a pair of taps": { before, _, after in
                    (0...1).contains(after.moves - before.moves)
                },
            ],
            length: 300
        ) { random, _ in GameAction.flip(card: .random(in: -1...16, using: &random)) }
    }

    @Test func `a game is played again from its log`() {
        let store = Play().store
        let log = LogRecorder(of: store)
        store.dispatch(GameAction.start(category: .metal))
        store.dispatch(GameEvent.dealt(game: 1, covers: covers(10), isOwn: true, seed: 42))
        for card in [3, 3, 5, 1, 2, 15, 9, 0] { store.dispatch(GameAction.flip(card: card)) }
        #expect(log.entries.count == 10)
        #expect(store.log.replay(log.entries, from: Game()) == store.state)
    }
}
