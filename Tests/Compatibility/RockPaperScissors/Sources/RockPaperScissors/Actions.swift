// SPDX-License-Identifier: MIT

import ReSwift

struct ChooseWeaponAction: Action {
    let weapon: Weapon
}

struct NextRoundAction: Action {}

struct ResetAction: Action {}
