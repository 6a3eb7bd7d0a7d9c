// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct MailboxTests {
    private actor Screen {
        private(set) var seen: [Int] = []
        func show(_ number: Int) { seen.append(number) }
    }

    @Test @MainActor
    func `other work of an actor gets in while many calls wait`() async {
        let store = makeBank()
        let called = Log<Int>()
        let notified = Log<Int>()
        let tokens = (0..<1_000).map { number in
            store.subscribe(\.balance) { @MainActor _, _ in
                // Other work, which comes when the first calls are being made.
                if number == 0 { Task { @MainActor in notified.append(called.all.count) } }
                called.append(number)
            }
        }
        // The main actor is busy with this test meanwhile.
        onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
        await store.waitUntilIdle()
        #expect(notified.all == [Mailbox.turn])
        #expect(called.all == Array(0..<1_000))
        withExtendedLifetime(tokens) {}
    }

    @Test @MainActor
    func `a dispatch on the actor is notified when it returns, also behind many calls`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in recorder.record(old, new) }
        onThreads(1) { _ in for _ in 1...1_000 { store.dispatch(BankAction.deposit(1)) } }
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1_001])
        #expect(recorder.changes.map(\.old) == [0])
        await store.waitUntilIdle()
        token.cancel()
    }

    @Test
    func `idle waits for all turns`() async {
        let store = makeBank()
        let screen = Screen()
        let token = store.subscribe(.path(\.balance), on: screen) { screen, _, new in
            screen.show(new)
        }
        for _ in 1...1_000 { store.dispatch(BankAction.deposit(1)) }
        await store.waitUntilIdle()
        let seen = await screen.seen
        #expect(seen.last == 1_000)
        #expect(seen == Set(seen).sorted())
        token.cancel()
    }

    @Test
    func `mailboxes of actors that are gone are not kept`() async {
        let store = makeBank()
        for _ in 0..<1_000 {
            let screen = Screen()
            let token = store.subscribe(.path(\.balance), on: screen) { _, _, _ in }
            token.cancel()
        }
        #expect(store.engine.withLock { $0.state.mailboxes.count } <= 17)
    }

    @Test
    func `an actor that the search for gone actors is the last to release may use the store`() async
    {
        actor Last {
            let store: Store<Bank>
            init(_ store: Store<Bank>) { self.store = store }
            deinit { store.dispatch(BankAction.deposit(1)) }
        }
        let store = makeBank()
        for _ in 0..<100 {
            let last = Last(store)
            let token = store.subscribe(.path(\.balance), on: last) { _, _, _ in }
            token.cancel()
        }
        await store.waitUntilIdle()
        #expect(store.state.balance == 100)
    }
}
