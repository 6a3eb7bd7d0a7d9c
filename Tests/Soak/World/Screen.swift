// SPDX-License-Identifier: MIT

import Onward

/// An actor that subscribes, and may die at any moment.
actor Screen {
    private let sentinel: Sentinel

    init(_ sentinel: Sentinel) {
        self.sentinel = sentinel
    }

    deinit { Stage.current?.glance() }

    /// Runs something on the actor.
    func run(_ body: @Sendable (isolated Screen) -> Void) { body(self) }
}

/// A subscriber that is an object, and unsubscribes when it is released, as most objects do.
final class Watcher: StateSubscriber, Sendable {
    private let notify: @Sendable (Int) -> Void
    private let sentinel: Sentinel

    init(_ sentinel: Sentinel, _ notify: @escaping @Sendable (Int) -> Void) {
        self.sentinel = sentinel
        self.notify = notify
    }

    func newState(_ state: Int) { notify(state) }

    deinit { Stage.current?.forget(self) }
}
