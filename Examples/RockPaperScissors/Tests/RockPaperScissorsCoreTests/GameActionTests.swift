// SPDX-License-Identifier: MIT

import Onward
import RockPaperScissorsCore
import Testing

@Suite struct GameActionTests {
    @Test func `the names on the wire stay what saved logs and open pages use`() {
        #expect(GameAction.choose(weapon: .rock).wireName == "GameAction/choose")
        #expect(GameAction.playAgain.wireName == "GameAction/playAgain")
        #expect(Weapon.allCases.map(\.rawValue) == ["rock", "paper", "scissors"])
    }
}
