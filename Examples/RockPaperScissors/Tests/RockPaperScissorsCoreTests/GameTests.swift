// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import RockPaperScissorsCore
import Testing

/// One of the nine ways to play a round, with how it has to end.
struct Pair: Sendable, CustomTestStringConvertible {
    let first: Weapon
    let second: Weapon
    let result: Outcome
    let message: String

    var testDescription: String { "\(first) against \(second)" }

    static let draw = (Outcome.draw, "DRAW!")
    static let one = (Outcome.win(.one), "PLAYER 1 WINS!")
    static let two = (Outcome.win(.two), "PLAYER 2 WINS!")

    init(_ first: Weapon, _ second: Weapon, _ end: (Outcome, String)) {
        (self.first, self.second) = (first, second)
        (result, message) = end
    }

    /// Written out by hand, so that it can disagree with the rule under test.
    static let all = [
        Pair(.rock, .rock, draw), Pair(.rock, .paper, two), Pair(.rock, .scissors, one),
        Pair(.paper, .rock, one), Pair(.paper, .paper, draw), Pair(.paper, .scissors, two),
        Pair(.scissors, .rock, two), Pair(.scissors, .paper, one),
        Pair(.scissors, .scissors, draw),
    ]
}

@Suite struct GameTests {
    let store = Store(Game()) { rockPaperScissors }

    private func play(_ weapons: Weapon...) {
        for weapon in weapons { store.dispatch(GameAction.choose(weapon: weapon)) }
    }

    @Test func `a new game awaits player 1 in round 1 with nothing chosen and no score`() {
        let game = store.state
        #expect(game.message.rawValue == "PLAYER 1 - Choose your weapon:")
        #expect(game.turn == .one)
        #expect(game.round == 1)
        #expect(game.player1Play == Play())
        #expect(game.player2Play == Play())
        #expect(game.result == nil)
        #expect(game.score == Score())
    }

    @Test func `there are five messages`() {
        #expect(
            Message.allCases.map(\.rawValue) == [
                "PLAYER 1 - Choose your weapon:", "PLAYER 2 - Choose your weapon:",
                "PLAYER 1 WINS!", "PLAYER 2 WINS!", "DRAW!",
            ])
    }

    @Test(arguments: Weapon.allCases)
    func `the first choice is recorded and passes the turn to player 2`(weapon: Weapon) {
        play(weapon)
        let game = store.state
        #expect(game.player1Play.weapon == weapon)
        #expect(game.player1Play.isChosen)
        #expect(game.player2Play == Play())
        #expect(game.turn == .two)
        #expect(game.message.rawValue == "PLAYER 2 - Choose your weapon:")
        #expect(game.result == nil)
    }

    @Test(arguments: Pair.all)
    func `the second choice is recorded, judged and announced`(pair: Pair) {
        play(pair.first, pair.second)
        let game = store.state
        #expect(game.player1Play.weapon == pair.first)
        #expect(game.player2Play.weapon == pair.second)
        #expect(game.result == pair.result)
        #expect(game.message.rawValue == pair.message)
    }

    @Test func `the nine pairs are all there are`() {
        #expect(Set(Pair.all.map { [$0.first, $0.second] }).count == 9)
    }

    @Test func `a choice is one commit, with result and message in it`() {
        #expect(store.dispatch(GameAction.choose(weapon: .rock)) == .accepted(1))
        #expect(store.dispatch(GameAction.choose(weapon: .paper)) == .accepted(2))
        #expect(store.log.version == 2)
        #expect(store.state.result == .win(.two))
        #expect(store.state.message == .player2Wins)
    }

    @Test(arguments: Pair.all, Weapon.allCases)
    func `after the end the weapons rest until the next round`(pair: Pair, tap: Weapon) {
        play(pair.first, pair.second)
        let ended = store.state
        play(tap)
        #expect(store.state == ended)
    }

    @Test(arguments: Pair.all)
    func `playing again starts the next round and keeps the score`(pair: Pair) {
        play(pair.first, pair.second)
        let score = store.state.score
        store.dispatch(GameAction.playAgain)
        let game = store.state
        #expect(game.round == 2)
        #expect(game.turn == .one)
        #expect(game.message == .player1Chooses)
        #expect(game.player1Play == Play())
        #expect(game.player2Play == Play())
        #expect(game.result == nil)
        #expect(game.score == score)
    }

    @Test func `playing again does nothing while a round is played`() {
        let fresh = store.state
        store.dispatch(GameAction.playAgain)
        #expect(store.state == fresh)
        play(.rock)
        let halfway = store.state
        store.dispatch(GameAction.playAgain)
        #expect(store.state == halfway)
    }

    @Test func `each win counts one for its player and a draw counts for nobody`() {
        for pair in Pair.all {
            play(pair.first, pair.second)
            store.dispatch(GameAction.playAgain)
        }
        #expect(store.state.score[.one] == 3)
        #expect(store.state.score[.two] == 3)
        #expect(store.state.round == 10)
        play(.paper, .rock)
        #expect(store.state.score[.one] == 4)
        #expect(store.state.score[.two] == 3)
    }

    @Test func `whatever is tapped, a round ends with two choices, and at most one point`() {
        rockPaperScissors.check(
            from: Game(),
            always: [
                "a round has ended exactly when both have chosen": {
                    ($0.result != nil) == ($0.player1Play.isChosen && $0.player2Play.isChosen)
                },
                "player 2 never chooses first": {
                    $0.player1Play.isChosen || !$0.player2Play.isChosen
                },
            ],
            eachStep: [
                "a point comes with the end of a round": { before, _, after in
                    let points = [before, after].map { $0.score[.one] + $0.score[.two] }
                    return points[0] == points[1]
                        || (points[0] + 1 == points[1] && before.result == nil
                            && after.result != nil)
                },
                "rounds follow each other": { before, _, after in
                    after.round == before.round || after.round == before.round + 1
                },
            ]
        ) { random, _ in
            Int.random(in: 0..<4, using: &random) == 0
                ? GameAction.playAgain
                : GameAction.choose(weapon: Weapon.allCases.randomElement(using: &random) ?? .rock)
        }
    }

    @Test func `the same choices lead to the same game`() {
        let other = Store(Game()) { rockPaperScissors }
        for pair in Pair.all {
            let actions: [GameAction] = [
                .choose(weapon: pair.first), .choose(weapon: pair.second), .playAgain,
            ]
            for action in actions {
                store.dispatch(action)
                other.dispatch(action)
                #expect(store.state == other.state)
            }
        }
    }
}
