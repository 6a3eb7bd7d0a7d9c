// SPDX-License-Identifier: MIT

import Testing

@testable import RockPaperScissors

@Suite(.serialized) struct GameTests {
    init() {
        store.dispatch(ResetAction())
    }

    @Test func `A screen shows a round from its beginning to its end`() {
        let screen = GameViewController()
        screen.viewWillAppear()
        #expect(screen.message.text == "Player 1: choose your weapon")
        screen.didTap(.rock)
        #expect(screen.message.text == "Player 2: choose your weapon")
        #expect(screen.weapons.text == "hidden")
        screen.didTap(.paper)
        #expect(screen.message.text == "Player 2 wins!")
        #expect(screen.weapons.text == "rock paper")
        #expect(screen.score.text == "0 : 1")
        screen.didTapNext()
        screen.didTap(.scissors)
        screen.didTap(.scissors)
        #expect(screen.message.text == "It's a draw!")
        #expect(screen.renderings == 6)
        screen.viewWillDisappear()
        screen.didTapNext()
        #expect(screen.renderings == 6)
    }

    @Test func `A state has what the app gave to all states`() {
        #expect(AppState().summary == "AppState")
    }

    @Test func `The score is shown only when it changes`() {
        let view = ScoreView()
        view.show()
        for _ in 0..<3 {
            store.dispatch(ChooseWeaponAction(weapon: .rock))
            store.dispatch(ChooseWeaponAction(weapon: .scissors))
            store.dispatch(NextRoundAction())
        }
        #expect(view.shown == [0, 1, 2, 3])
        store.unsubscribe(view)
    }

    @Test func `A screen that is gone is not notified and does no harm`() {
        weak var gone: GameViewController?
        do {
            let screen = GameViewController()
            screen.viewWillAppear()
            gone = screen
        }
        #expect(gone == nil)
        store.dispatch(ChooseWeaponAction(weapon: .rock))
        #expect(store.state.first.weapon == .rock)
    }

    @Test func `The middleware saw the first action of all`() {
        #expect(actionNames.first == "ReSwiftInit")
        #expect(actionNames.contains("ResetAction"))
    }
}
