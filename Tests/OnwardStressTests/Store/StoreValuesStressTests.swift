// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

private let every = Buffering.every(limit: 100, onOverflow: .dropOldest)

@Suite(.timeLimit(.minutes(5))) struct StoreValuesStressTests {
    @Test
    func `values come in order while threads dispatch and readers come, go and are cancelled`()
        async
    {
        let store = makeBank()
        let each = scaled(2_000)
        let total = 4 * each
        let last = Task {
            var previous = -1
            for await value in store.values(of: \.balance) {
                if value <= previous { return -1 }
                previous = value
                if value == total { break }
            }
            return previous
        }
        let guests = Task {
            for round in 0..<scaled(300) {
                let guest = Task {
                    var previous = -1
                    for await value in store.values(of: \.balance, buffering: every) {
                        if value <= previous { return false }
                        previous = value
                        if value > round { break }
                    }
                    return true
                }
                if round % 2 == 0 { guest.cancel() }
                if round % 2 == 0, await !guest.value { return false }
            }
            return true
        }
        await withCheckedContinuation { continuation in
            onThreadsLater(4, each) {
                store.dispatch(BankAction.deposit(1))
            } then: {
                continuation.resume()
            }
        }
        #expect(await last.value == total)
        #expect(await guests.value)
        await store.shutdown()
        #expect(store.engine.withLock { $0.state.endings == nil })
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    private func onThreadsLater(
        _ threads: Int, _ times: Int, _ body: @escaping @Sendable () -> Void,
        then: @escaping @Sendable () -> Void
    ) {
        Task.detached {
            onThreads(threads) { _ in for _ in 0..<times { body() } }
            then()
        }
    }
}
