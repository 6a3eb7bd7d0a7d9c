// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise06CancelTests {
    @Test
    func `Cancel means cancel: on the delivering thread no further call, also in the same commit`()
    {
        let store = makeBank()
        let victim = Log<Subscription>()
        let recorder = Recorder<Int>()
        let killer = store.subscribe(\.balance) { _, _ in for token in victim.all { token.cancel() }
        }
        victim.append(store.subscribe(\.balance, recorder.record))
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values.isEmpty)
        killer.cancel()
    }

    @Test
    func `Cancel means cancel: a subscriber may cancel itself`() {
        let store = makeBank()
        let own = Log<Subscription>()
        let recorder = Recorder<Int>()
        own.append(
            store.subscribe(\.balance) { old, new in
                recorder.record(old, new)
                for token in own.all { token.cancel() }
            })
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1])
    }

    @Test
    func `Cancel means cancel: releasing the token is enough, and twice is once`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        var token: Subscription? = store.subscribe(\.balance, recorder.record)
        store.dispatch(BankAction.deposit(1))
        token?.cancel()
        token?.cancel()
        token = nil
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1])
    }

    @Test @MainActor
    func `Cancel means cancel: on the subscriber's actor no further call`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in recorder.record(old, new) }
        // The main actor is busy here, so the call waits in the mailbox while it is cancelled.
        onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
        token.cancel()
        await store.waitUntilIdle()
        #expect(recorder.values.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `Cancel means cancel: cancelAndWait returns after the call that is under way`() async {
        let store = makeBank()
        let entered = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let events = Log<String>()
        let token = store.subscribe(\.balance) { _, _ in
            entered.signal()
            goOn.wait()
            events.append("call ends")
        }
        let thread = Thread { store.dispatch(BankAction.deposit(1)) }
        thread.start()
        await Task.detached { waitFor(entered) }.value
        token.cancel()
        async let waiting: Void = {
            await token.cancelAndWait()
            events.append("wait ends")
        }()
        // Time for a wait that does not wait.
        for _ in 0..<1_000 where events.all.isEmpty { await Task.yield() }
        goOn.signal()
        await waiting
        #expect(events.all == ["call ends", "wait ends"])
        store.dispatch(BankAction.deposit(1))
        #expect(events.all.count == 2)
    }

    @Test
    func `Cancel means cancel: the store keeps no subscriber object alive`() async {
        final class Screen: Sendable {}
        let store = makeBank()
        weak var weakly: Screen?
        do {
            let screen = Screen()
            weakly = screen
            let token = store.subscribe(\.balance) { _, _ in _ = screen }
            store.dispatch(BankAction.deposit(1))
            token.cancel()
        }
        #expect(weakly == nil)
        store.dispatch(BankAction.deposit(1))
    }

    @Test(arguments: [false, true])
    func `Cancel means cancel: neither store nor token keeps what a selection refers to`(
        cancelsItself: Bool
    ) {
        final class Screen: Sendable {}
        let store = makeBank()
        let tokens = Log<Subscription>()
        weak var weakly: Screen?
        do {
            let screen = Screen()
            weakly = screen
            tokens.append(
                store.subscribe(
                    .selecting(
                        { bank in
                            _ = screen
                            return bank.balance
                        },
                        removingDuplicatesBy: { left, right in
                            _ = screen
                            return left == right
                        })
                ) { _, _ in
                    if cancelsItself { for token in tokens.all { token.cancel() } }
                })
        }
        store.dispatch(BankAction.deposit(1))
        for token in tokens.all { token.cancel() }
        #expect(weakly == nil)
        store.dispatch(BankAction.deposit(1))
        #expect(store.state.balance == 2)
    }

    @Test
    func `Cancel means cancel: what a call cancels itself is released after it`() {
        final class Screen: Sendable {}
        let store = makeBank()
        let own = Log<Subscription>()
        weak var weakly: Screen?
        do {
            let screen = Screen()
            weakly = screen
            own.append(
                store.subscribe(\.balance) { _, _ in
                    for token in own.all { token.cancel() }
                    _ = screen
                })
        }
        store.dispatch(BankAction.deposit(1))
        #expect(weakly == nil)
        #expect(own.all.count == 1)
    }

    @Test
    func `Cancel means cancel: the store keeps no value that was notified before the current one`()
    {
        final class Picture: Sendable, Equatable {
            static func == (left: Picture, right: Picture) -> Bool { left === right }
        }
        struct App: Sendable { var picture = Picture() }
        struct Replace: Action {}
        let store = Store(App()) {
            Reduce { (app: inout App, _: Replace) in app.picture = Picture() }
        }
        let notified = Log<Bool>()
        let token = store.subscribe(\.picture) { old, new in notified.append(old != new) }
        weak let first = store.state.picture
        store.dispatch(Replace())
        #expect(first == nil)
        #expect(notified.all == [true])
        token.cancel()
    }

    @Test
    func `Cancel means cancel: a store that goes releases its features, too`() {
        final class Service: Sendable {}
        weak var weakly: Service?
        do {
            let service = Service()
            weakly = service
            let store = Store(Bank()) {
                ClosureMiddleware<Bank> { _, _ in
                    _ = service
                    return nil
                }
                bank
                Reduce { (_: inout Bank, _: OtherAction) in _ = service }
            }
            store.dispatch(BankAction.deposit(1))
            store.dispatch(OtherAction())
            #expect(weakly != nil)
        }
        #expect(weakly == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func `Cancel means cancel: an actor that is gone is not called and not kept`() async {
        actor Screen {
            func listen(to store: Store<Bank>) -> Subscription {
                store.subscribe(.path(\.balance), on: self) { _, _, _ in }
            }
        }
        let store = makeBank()
        weak var weakly: Screen?
        var token: Subscription?
        do {
            let screen = Screen()
            weakly = screen
            token = await screen.listen(to: store)
        }
        #expect(weakly == nil)
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        withExtendedLifetime(token) {}
    }

    @Test
    func `Cancel means cancel: a store that goes releases all its subscribers`() {
        final class Screen: Sendable {}
        weak var weakly: Screen?
        var token: Subscription?
        do {
            let store = makeBank()
            let screen = Screen()
            weakly = screen
            token = store.subscribe(\.balance) { _, _ in _ = screen }
        }
        #expect(weakly == nil)
        withExtendedLifetime(token) {}
    }
}

/// Waits on a thread where waiting is allowed.
private func waitFor(_ semaphore: DispatchSemaphore) { semaphore.wait() }
