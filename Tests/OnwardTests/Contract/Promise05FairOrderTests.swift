// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise05FairOrderTests {
    @Test
    func `Fair order: per commit, subscribers are called in the order in which they subscribed`() {
        let store = makeBank()
        let calls = Log<String>()
        let tokens = [
            store.subscribe(\.balance) { _, _ in calls.append("a") },
            store.subscribe(\.doubled) { _, _ in calls.append("b") },
            store.subscribe(\.balance) { _, _ in calls.append("c") },
            store.subscribe(.selecting(\.balance)) { _, _ in calls.append("d") },
            store.subscribe(\.doubled) { _, _ in calls.append("e") },
        ]
        store.dispatch(BankAction.deposit(1))
        #expect(calls.all == ["a", "b", "c", "d", "e"])
        tokens[1].cancel()
        store.dispatch(BankAction.deposit(1))
        #expect(calls.all.dropFirst(5) == ["a", "c", "d", "e"])
    }

    @Test
    func `Fair order: it stays when many leave, and each leaves for itself`() {
        let store = makeBank()
        let calls = Log<Int>()
        let tokens = (0..<60).map { number in
            number % 3 == 0
                ? store.subscribe(.selecting { $0.balance }) { _, _ in calls.append(number) }
                : store.subscribe(\.balance) { _, _ in calls.append(number) }
        }
        var left = Array(0..<60)
        var random = SeededGenerator(seed: 7)
        while left.count > 3 {
            let leaver = left.remove(at: Int.random(in: left.indices, using: &random))
            tokens[leaver].cancel()
            let before = calls.all.count
            store.dispatch(BankAction.deposit(1))
            #expect(Array(calls.all.dropFirst(before)) == left)
        }
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `Fair order: all are notified of a commit before any is notified of the next one`() {
        let store = makeBank()
        let calls = Log<String>()
        let first = store.subscribe(\.balance) { _, new in
            calls.append("first \(new)")
            if new == 1 { store.dispatch(BankAction.deposit(1)) }
        }
        let second = store.subscribe(\.balance) { _, new in calls.append("second \(new)") }
        store.dispatch(BankAction.deposit(1))
        #expect(calls.all == ["first 1", "second 1", "first 2", "second 2"])
        first.cancel()
        second.cancel()
    }

    @Test
    func `Fair order: subscribers of one actor keep the order among themselves`() async {
        let store = makeBank()
        let calls = Log<String>()
        let tokens = [
            store.subscribe(\.balance) { @MainActor _, new in calls.append("a\(new)") },
            store.subscribe(\.doubled) { @MainActor _, new in calls.append("b\(new)") },
            store.subscribe(\.balance) { @MainActor _, new in calls.append("c\(new)") },
        ]
        await Task.detached {
            store.dispatch(BankAction.deposit(1))
            store.dispatch(BankAction.deposit(1))
        }.value
        await store.waitUntilIdle()
        // The first commit may have been replaced before its turn came.
        #expect(calls.all.suffix(3) == ["a2", "b4", "c2"])
        #expect(calls.all.count == 3 || calls.all.prefix(3) == ["a1", "b2", "c1"])
        withExtendedLifetime(tokens) {}
    }
}
