// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Onward // difficulty: two-imports
import ReSwift

final class Remote: StoreSubscriber {
    private let semaphore = DispatchSemaphore(value: 1)

    func newState(state: PlayerState) {
        dispatchPrecondition(condition: .onQueue(.main))
        switch state.track {
        case nil:
            self.next() // difficulty: dispatch-in-new-state
        case .some:
            break
        }
    }

    func next() {
        player.dispatch(PlayerAction.play(Track(title: "next")))
    }

    func skip() {
        semaphore.wait()
        player.dispatch(PlayerAction.stop) // difficulty: locked-dispatch
        semaphore.signal()
    }
}
