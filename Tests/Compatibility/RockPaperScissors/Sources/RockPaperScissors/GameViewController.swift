// SPDX-License-Identifier: MIT

import ReSwift

class Label {
    var text: String?
}

/// A screen in the manner of a view controller.
class GameViewController: StoreSubscriber {
    let message = Label()
    let score = Label()
    let weapons = Label()
    var renderings = 0

    func viewWillAppear() {
        store.subscribe(self)
    }

    func viewWillDisappear() {
        store.unsubscribe(self)
    }

    func newState(state: AppState) {
        renderings += 1
        message.text = state.message
        score.text = "\(state.first.wins) : \(state.second.wins)"
        // Neither player sees the other's choice before both have chosen.
        weapons.text =
            state.turn == .over
            ? "\(state.first.weapon?.rawValue ?? "–") \(state.second.weapon?.rawValue ?? "–")"
            : "hidden"
    }

    func didTap(_ weapon: Weapon) {
        store.dispatch(ChooseWeaponAction(weapon: weapon))
    }

    func didTapNext() {
        store.dispatch(NextRoundAction())
    }
}

/// A part of a screen that is notified of a part of the state.
class ScoreView: StoreSubscriber {
    typealias StoreSubscriberStateType = Int

    private(set) var shown: [Int] = []

    func show() {
        store.subscribe(self) { subscription in
            subscription.select { state in state.first.wins + state.second.wins }
        }
    }

    func newState(state: Int) {
        shown.append(state)
    }
}
