// SPDX-License-Identifier: MIT

import Onward
import OnwardReports
import RockPaperScissorsCore

/// The fault: after a draw player two's weapon stays on the table.
enum RockPaperScissorsApp: FaultyApp {
    static let start = Game()
    static let reducers = rockPaperScissors
    static let redaction = Redaction<Game>().checking("score") {
        [$0.score.player1, $0.score.player2]
    }

    static func hasFault(_ game: Game) -> Bool {
        game.result == nil && game.turn == .one && game.play(of: .two).isChosen
    }

    static let promise = "nobody has chosen when a round begins"
    static let expectation =
        "state.result != nil || state.turn == .two || !state.player2Play.isChosen"
    static let making = "Store(Game()) { rockPaperScissors }"
    static let modules = ["RockPaperScissorsCore"]

    /// Two players; while they are careful, there is no draw.
    struct User: FaultyAppUser {
        var random: Generator

        mutating func act(on store: Store<Game>, isCareful: Bool) {
            let game = store.state
            guard game.result == nil else {
                store.dispatch(GameAction.playAgain)
                return
            }
            let weapons = Weapon.allCases.filter { !isCareful || $0 != game.play(of: .one).weapon }
            guard let weapon = weapons.randomElement(using: &random) else { return }
            store.dispatch(GameAction.choose(weapon: weapon))
        }
    }
}
