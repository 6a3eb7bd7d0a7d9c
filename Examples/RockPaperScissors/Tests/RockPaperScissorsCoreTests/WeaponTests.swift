// SPDX-License-Identifier: MIT

import RockPaperScissorsCore
import Testing

@Suite struct WeaponTests {
    @Test func `rock beats scissors, scissors beat paper, paper beats rock, and nothing else`() {
        let wins = Weapon.allCases.flatMap { first in
            Weapon.allCases.filter { first.beats($0) }.map { [first, $0] }
        }
        #expect(
            Set(wins) == [[.rock, .scissors], [.scissors, .paper], [.paper, .rock]])
    }

    @Test func `the weapons are called Rock, Paper and Scissors, in that order`() {
        #expect(Weapon.allCases.map(\.name) == ["Rock", "Paper", "Scissors"])
    }
}
