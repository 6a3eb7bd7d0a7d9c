// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise03ReadYourWritesTests {
    @Test
    func `Read your writes: when dispatch returns, state includes that action`() {
        let store = makeBank()
        for amount in 1...100 {
            let before = store.state.balance
            #expect(store.dispatch(BankAction.deposit(amount)) == .accepted(store.log.version))
            #expect(store.state.balance == before + amount)
        }
    }

    @Test
    func `Read your writes, also inside a subscriber`() {
        let store = makeBank()
        let read = Log<Int>()
        let token = store.subscribe(\.balance) { _, new in
            guard new < 3 else { return }
            store.dispatch(BankAction.deposit(1))
            read.append(store.state.balance)
        }
        store.dispatch(BankAction.deposit(1))
        #expect(read.all == [2, 3])
        token.cancel()
    }

    @Test
    func `Read your writes, except where the result says withheld`() {
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, _ in
                if case BankAction.deposit(let amount) = action, amount < 0 {
                    .withheld
                } else {
                    nil
                }
            }
            bank
        }
        #expect(store.dispatch(BankAction.deposit(-5)) == .withheld)
        #expect(store.state.balance == 0)
        #expect(store.dispatch(BankAction.deposit(5)) == .accepted(1))
    }

    @Test
    func `Read your writes, except where the result says refused after the end`() async {
        let store = makeBank()
        await store.shutdown()
        #expect(store.dispatch(BankAction.deposit(5)) == .refused(.shutDown))
        #expect(store.state.balance == 0)
        #expect(store.log.version == 0)
    }
}
