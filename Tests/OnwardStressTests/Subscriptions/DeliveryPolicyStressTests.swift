// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct DeliveryPolicyStressTests {
    @Test
    func `latest: when all is notified, every subscriber knows the newest value`() async {
        for _ in 0..<scaled(300) {
            let store = makeBank()
            let recorders = (0..<3).map { _ in Recorder<Int>() }
            let tokens = recorders.map { store.subscribe(\.balance, policy: .latest, $0.record) }
            onThreads(2) { _ in
                for step in 0..<20 {
                    store.dispatch(step % 2 == 0 ? BankAction.deposit(1) : BankAction.nothing)
                }
            }
            await store.idle()
            for recorder in recorders { #expect(recorder.values.last == 20) }
            withExtendedLifetime(tokens) {}
        }
    }

    /// A clock without pauses: each ends as soon as a thread has time for it.
    private struct Restless: Clock {
        typealias Instant = ContinuousClock.Instant
        var now: Instant { ContinuousClock.now }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            await Task.yield()
        }
    }

    @Test
    func `at most once: never two calls at a time and never backwards, whatever pauses end`() async
    {
        struct Seen {
            var last = 0
            var isInside = false
            var wrong = 0
        }
        let store = makeBank(options: StoreOptions(clock: Restless()))
        let seen = (0..<4).map { _ in Guarded(Seen()) }
        let tokens = seen.map { seen in
            store.subscribe(\.balance, policy: .atMostOnce(per: .milliseconds(1))) { old, new in
                seen.withValue { seen in
                    if seen.isInside || old != seen.last || new <= old { seen.wrong += 1 }
                    seen.isInside = true
                }
                seen.withValue { seen in
                    seen.last = new
                    seen.isInside = false
                }
            }
        }
        let each = scaled(10_000)
        onThreads(4) { _ in for _ in 0..<each { store.dispatch(BankAction.deposit(1)) } }
        for seen in seen {
            while seen.withValue({ $0.last }) != 4 * each { await Task.yield() }
            #expect(seen.withValue { $0.wrong } == 0)
        }
        withExtendedLifetime(tokens) {}
    }
}
