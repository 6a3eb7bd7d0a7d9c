// SPDX-License-Identifier: MIT

import Onward

/// Unsubscribes as it is released, as most objects do.
final class Leaver: StateSubscriber, Sendable {
    let store: Store<Bank>

    init(_ store: Store<Bank>) { self.store = store }

    func newState(_ state: Int) {}

    deinit { store.unsubscribe(self) }
}
