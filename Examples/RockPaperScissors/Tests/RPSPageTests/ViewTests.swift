// SPDX-License-Identifier: MIT

import Onward
import RockPaperScissorsCore
import Testing

@testable import RPSPage

/// A game in which these actions have happened.
func game(after actions: GameAction...) -> Game {
    let store = Store(Game()) { rockPaperScissors }
    for action in actions { store.dispatch(action) }
    return store.state
}

@Suite struct ViewTests {
    @Test func `before the end every view is the same whichever weapon was chosen`() {
        let games = Weapon.allCases.map { game(after: .choose(weapon: $0)) }
        #expect(Set(games.map { $0.player1Play.weapon }).count == 3)
        for other in games.dropFirst() {
            #expect(BoardView(other) == BoardView(games[0]))
            #expect(WeaponsView(other) == WeaponsView(games[0]))
            #expect(MessageView(other) == MessageView(games[0]))
            #expect(NextView(other) == NextView(games[0]))
            #expect(RoundView(other) == RoundView(games[0]))
            #expect(other.moment == games[0].moment)
        }
    }

    @Test func `square 1 is chosen but hidden while player 2 chooses, and square 2 is empty`() {
        let squares = BoardView(game(after: .choose(weapon: .rock))).players.map(\.square)
        #expect(squares.map(\.isHidden) == [true, false])
        #expect(squares.map(\.isEmpty) == [false, true])
        #expect(squares.map(\.weapon) == [nil, nil])
    }

    @Test func `after the end both squares show their weapons`() {
        let over = game(after: .choose(weapon: .rock), .choose(weapon: .paper))
        let squares = BoardView(over).players.map(\.square)
        #expect(squares.map { $0.weapon?.name } == ["Rock", "Paper"])
        #expect(squares.allSatisfy { !$0.isHidden && !$0.isEmpty })
    }

    @Test func `every step of a game is a moment of its own`() {
        let steps: [GameAction] = [
            .choose(weapon: .rock), .choose(weapon: .rock), .playAgain,
            .choose(weapon: .rock), .choose(weapon: .rock), .playAgain,
        ]
        let store = Store(Game()) { rockPaperScissors }
        var moments = [store.state.moment]
        for step in steps {
            store.dispatch(step)
            moments.append(store.state.moment)
        }
        #expect(Set(moments).count == steps.count + 1)
    }

    @Test func `the buttons change with every moment, so that they never expect an old one`() {
        let first = game(after: .choose(weapon: .rock))
        let over = game(after: .choose(weapon: .rock), .choose(weapon: .rock))
        let next = game(after: .choose(weapon: .rock), .choose(weapon: .rock), .playAgain)
        let views = [Game(), first, over, next].map(WeaponsView.init)
        for (view, later) in zip(views, views.dropFirst()) { #expect(view != later) }
    }

    @Test func `the weapons have the keys R, P and S`() {
        #expect(WeaponsView(Game()).weapons.map(\.key) == ["R", "P", "S"])
        #expect(WeaponsView(Game()).weapons.map(\.name) == ["Rock", "Paper", "Scissors"])
    }
}
