// SPDX-License-Identifier: MIT
import Onward
import Synchronization
import Testing

@Suite struct Smoke {
    @Test func `basics`() async {
        let store = makeBank()
        let seen = Mutex<[Int]>([])
        let token = store.subscribe(\.balance, initially: true) { old, new in seen.withLock { $0.append(new) } }
        #expect(store.dispatch(BankAction.deposit(5)) == .accepted(1))
        #expect(store.state.balance == 5)
        #expect(store.dispatch(CounterAction.increment) == .accepted(2))
        #expect(store.state.left.count == 1 && store.state.right.count == 1)
        let left = store.scoped(to: \.left)
        #expect(left.dispatch(CounterAction.increment) == .accepted(3))
        #expect(store.state.left.count == 2 && store.state.right.count == 1)
        #expect(left.state.count == 2)
        #expect(store.scoped(to: \.rows, id: 3).dispatch(CounterAction.increment) == .refused(.absent))
        store.dispatch(BankAction.deposit(2))
        token.cancel()
        store.dispatch(BankAction.deposit(2))
        #expect(seen.withLock { $0 } == [0, 5, 7])
        await store.idle()
        _ = try? await store.wait { $0.balance == 9 }
        await store.shutdown()
        #expect(store.dispatch(BankAction.nothing) == .refused(.shutDown))
        print(BankAction.deposit(3).wireName, BankAction.nothing.wireName, OtherAction().wireName, left.address)
    }
}
