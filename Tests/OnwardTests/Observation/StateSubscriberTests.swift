// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardObservation
@testable import TestSupport

@Suite struct StateSubscriberTests {
    final class Screen: StateSubscriber, Sendable {
        let seen = Log<Int>()
        func newState(_ state: Int) { seen.append(state) }
    }

    @Test
    func `is notified of the current value at once, then of changes`() {
        let store = makeBank(Bank(balance: 3))
        let screen = Screen()
        screen.subscribe(to: .path(\.balance), of: store)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(OtherAction())
        #expect(screen.seen.all == [3, 4])
        store.unsubscribe(screen)
        store.dispatch(BankAction.deposit(1))
        #expect(screen.seen.all == [3, 4])
    }

    @Test
    func `replaces its subscription by subscribing again`() {
        let store = makeBank()
        let screen = Screen()
        screen.subscribe(to: .path(\.balance), of: store)
        screen.subscribe(to: .path(\.other.count), of: store)
        store.dispatch(BankAction.deposit(7))
        store.dispatch(OtherAction())
        #expect(screen.seen.all == [0, 0, 1])
    }

    @Test
    func `may unsubscribe while it gets its first value`() {
        final class Hasty: StateSubscriber, Sendable {
            let store: Store<Bank>
            let seen = Log<Int>()
            init(_ store: Store<Bank>) { self.store = store }
            func newState(_ state: Int) {
                seen.append(state)
                store.unsubscribe(self)
            }
        }
        let store = makeBank()
        let hasty = Hasty(store)
        hasty.subscribe(to: .path(\.balance), of: store)
        store.dispatch(BankAction.deposit(1))
        #expect(hasty.seen.all == [0])
    }

    @Test
    func `is held weakly, and dropped when it goes`() {
        let store = makeBank()
        weak var weakly: Screen?
        let log: Log<Int>
        do {
            let screen = Screen()
            log = screen.seen
            weakly = screen
            screen.subscribe(to: .path(\.balance), of: store)
        }
        #expect(weakly == nil)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(log.all == [0])
    }

    @Test
    func `may unsubscribe as it goes`() {
        let store = makeBank()
        do {
            let leaver = Leaver(store)
            leaver.subscribe(to: .path(\.balance), of: store)
        }
        #expect(store.engine.attached(ObjectSubscriptions.self).count == 0)
    }

    @Test
    func `those that went without unsubscribing are forgotten before there are many`() {
        let store = makeBank()
        for _ in 0..<1_000 { Screen().subscribe(to: .path(\.balance), of: store) }
        #expect(store.engine.attached(ObjectSubscriptions.self).count <= 65)
        let screens = (0..<1_000).map { _ in Screen() }
        for screen in screens { screen.subscribe(to: .path(\.balance), of: store) }
        #expect((1_000...2_000).contains(store.engine.attached(ObjectSubscriptions.self).count))
        store.dispatch(BankAction.deposit(1))
        #expect(store.engine.attached(ObjectSubscriptions.self).count == 1_000)
    }
}
