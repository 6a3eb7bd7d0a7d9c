// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

@testable import OnwardCore
@testable import TestSupport

private let literalRuns = Atomic(0)
private let comparedRuns = Atomic(0)

@Suite(.bothWays, .serialized) struct SharedClosureTests {
    private let store = Store(Bank()) { bank }

    @Test func `a closure without captures runs once a commit for all that subscribe at its place`()
    {
        let notified = Log<Int>()
        let tokens = (0..<3).map { index in
            store.subscribe(
                .selecting { state in
                    literalRuns.add(1, ordering: .relaxed)
                    return state.balance
                }
            ) { _, new in notified.append(index * 100 + new) }
        }
        let before = literalRuns.load(ordering: .relaxed)
        store.dispatch(BankAction.deposit(1))
        #expect(literalRuns.load(ordering: .relaxed) == before + 1)
        #expect(notified.all == [1, 101, 201])
        #expect(store.engine.withLock { $0.state.index.groups.count } == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `closures with different captures run each by itself`() {
        let runs = Log<Int>()
        let notified = Log<Int>()
        let tokens = (0..<3).map { index in
            store.subscribe(
                .selecting { state in
                    runs.append(index)
                    return state.balance * 10 + index
                }
            ) { _, new in notified.append(new) }
        }
        let before = runs.all.count
        store.dispatch(BankAction.deposit(1))
        #expect(runs.all.dropFirst(before).sorted() == [0, 1, 2])
        #expect(notified.all == [10, 11, 12])
        withExtendedLifetime(tokens) {}
    }

    @Test func `closures with a comparison of their own run each by itself`() {
        let notified = Log<Int>()
        let tokens = (0..<2).map { index in
            store.subscribe(
                .selecting(
                    { state in
                        comparedRuns.add(1, ordering: .relaxed)
                        return state.balance
                    }, removingDuplicatesBy: { old, new in new - old < 1 + index })
            ) { old, new in notified.append(index * 100 + new) }
        }
        let before = comparedRuns.load(ordering: .relaxed)
        store.dispatch(BankAction.deposit(1))
        #expect(comparedRuns.load(ordering: .relaxed) == before + 2)
        #expect(notified.all == [1])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a closure that comes to lie where another one lay is another one`() {
        for offset in 0..<100 {
            let notified = Log<Int>()
            let token = store.subscribe(.selecting { $0.balance + offset * 1_000 }) { _, new in
                notified.append(new)
            }
            store.dispatch(BankAction.deposit(1))
            #expect(notified.all == [offset * 1_000 + store.state.balance])
            token.cancel()
        }
    }

    @Test func `the same closure in stores of different slices reads each slice`() {
        struct Pair: Sendable, Equatable {
            var left = 1
            var right = 2
        }
        enum Swap: Action { case swap }
        let store = Store(Pair()) {
            Reduce { (pair: inout Pair, _: Swap) in
                (pair.left, pair.right) = (pair.right, pair.left * 10)
            }
        }
        let notified = Log<Int>()
        let slices = [store.scoped(to: \.left), store.scoped(to: \.right)]
        let tokens = slices.map { slice in
            slice.subscribe(.selecting { $0 + 1 }) { _, new in notified.append(new) }
        }
        store.dispatch(Swap.swap)
        #expect(notified.all == [3, 11])
        withExtendedLifetime(tokens) {}
    }

    @Test func `what a closure captured goes with its last subscriber`() {
        final class Captured: Sendable { let one = 1 }
        weak var gone: Captured?
        do {
            let captured = Captured()
            gone = captured
            let select: @Sendable (Bank) -> Int = { $0.balance + captured.one }
            let tokens = (0..<2).map { _ in store.subscribe(.selecting(select)) { _, _ in } }
            store.dispatch(BankAction.deposit(1))
            for token in tokens { token.cancel() }
        }
        #expect(gone == nil)
    }
}
