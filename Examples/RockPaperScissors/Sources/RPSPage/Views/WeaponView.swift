// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// A weapon as it is drawn: on its button, and in a square once the round is over.
struct WeaponView: Equatable, Sendable {
    let id: String
    let name: String
    let picture: String
    let key: String

    init(_ weapon: Weapon) {
        id = weapon.rawValue
        name = weapon.name
        picture = "/\(weapon.rawValue).svg"
        key =
            switch weapon {
            case .rock: "R"
            case .paper: "P"
            case .scissors: "S"
            }
    }
}
