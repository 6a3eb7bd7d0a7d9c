// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// The three buttons, which rest once the round is over.
struct WeaponsView: Equatable, Sendable {
    let side: String
    let isResting: Bool
    let weapons = Weapon.allCases.map(WeaponView.init)

    init(_ game: Game) {
        side = game.turn.side
        isResting = game.result != nil
    }
}
