// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// A player's square: empty, chosen but hidden, or showing the weapon.
///
/// What isn't here can't be in the page: the weapon is present only once the round is over.
struct SquareView: Equatable, Sendable {
    let isEmpty: Bool
    let isHidden: Bool
    let weapon: WeaponView?

    init(_ play: Play, isRevealed: Bool) {
        isEmpty = !play.isChosen
        isHidden = play.isChosen && !isRevealed
        weapon = isRevealed ? play.weapon.map(WeaponView.init) : nil
    }
}
