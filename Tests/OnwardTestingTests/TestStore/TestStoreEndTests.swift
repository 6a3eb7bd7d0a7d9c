// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

/// What is found at the end of a test: leaks, misuses, uncaught errors.
@Suite struct TestStoreEndTests {
    struct Go: Action {}

    /// The texts of the issues of a test with one effect.
    private func issues(
        _ strictness: Strictness = .exhaustive, timeout: Duration = .milliseconds(100),
        of effect: @escaping @Sendable (EffectContext<Int>) -> Effect
    ) async -> [String] {
        await Issues.found {
            let store = TestStore(0, timeout: timeout) {
                Reduce { (_: inout Int, _: Go) in }
                OnAction { (_: Go, context) -> Effect in effect(context) }
            }
            await store.dispatch(Go())
            await store.finish(strictness)
        }.texts
    }

    @Test func `an effect that ends by itself in time is waited for`() async {
        let texts = await issues(timeout: .seconds(10)) { _ in
            .run {
                // Work elsewhere, of which the store knows nothing.
                await Task.detached { for _ in 0..<100 { await Task.yield() } }.value
            }
        }
        #expect(texts == [])
    }

    @Test func `an effect that does not heed its cancellation is a leak`() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let texts = await issues(.partial) { _ in
            .run(id: "deaf") {
                // A task of its own does not be notified of the cancellation.
                await Task { for await _ in gate {} }.value
            }
        }
        opening.finish()
        let text = try #require(texts.first)
        #expect(texts.count == 1)
        #expect(
            text.hasPrefix(
                """
                The store was shut down, but after 0.1 seconds of real time these cancelled effects \
                are still at work:

                 • The effect "deaf" at OnwardTestingTests/TestStoreEndTests.swift:
                """))
        #expect(text.contains("was cancelled and has not ended yet"))
        #expect(text.contains("withTaskCancellationHandler"))
    }

    @Test func `a task that an effect left asleep on the clock is a leak`() async {
        let sleepers = Guard()
        let texts = await issues { context in
            .run {
                let clock = context.clock
                sleepers.task = Task { try? await clock.sleep(for: .seconds(9)) }
                while (clock as? ManualClock)?.sleeperCount == 0 { await Task.yield() }
            }
        }
        #expect(
            texts == [
                """
                All effects have ended, but tasks still sleep on the store's clock. It stands at 0.0 \
                seconds; 1 task sleeps on it, until 9.0 seconds. Something started them outside the \
                store, and nothing ended them: cancel them where they were started.
                """
            ])
        sleepers.task?.cancel()
    }

    @Test func `an uncaught error fails the test at its line`() async throws {
        struct Broken: Error {}
        let texts = await issues { _ in .run(id: "save") { throw Broken() } }
        let text = try #require(texts.first)
        #expect(texts.count == 1)
        #expect(
            text.hasPrefix("The effect \"save\" at OnwardTestingTests/TestStoreEndTests.swift:"))
        #expect(
            text.hasSuffix(
                """
                started by TestStoreEndTests.Go, version 1, failed: Broken() If that should happen, \
                handle it in the effect (`catching:`), or give the test store another `effectError` \
                in its options.
                """))
    }

    @Test func `a misuse in an effect fails the test`() async throws {
        struct Unknown: Action {}
        let texts = await issues { context in .run { context.dispatch(Unknown()) } }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("but no feature of the store handles it") == true)
    }

    @Test func `a test that passed and has nothing open may release its store`() async {
        let issues = await Issues.found {
            let store = TestStore(Search()) { search }
            await store.dispatch(SearchAction.tick) { $0.seconds = 1 }
        }
        #expect(issues.texts == [])
    }

    @Test func `after the end the store is released, with its effects`() async {
        await expectReleased {
            let store = TestStore(Search(isOpen: true)) { search }
            await store.advance(by: .seconds(1))
            await store.finish(.partial)
            return store.live
        }
    }

    @Test func `an effect that never rests does not stop the test for ever`() async {
        let issues = await Issues.found {
            let store = TestStore(0, timeout: .milliseconds(50)) {
                Reduce { (_: inout Int, _: Go) in }
                OnAction { (_: Go, _) -> Effect in
                    .run { while !Task.isCancelled { await Task.yield() } }
                }
            }
            await store.dispatch(Go())
            await store.finish(.partial)
        }
        #expect(issues.texts == [])
    }
}

/// A task that is left behind on purpose.
private final class Guard: Sendable {
    private let kept = Guarded<Task<Void, Never>?>(nil)

    var task: Task<Void, Never>? {
        get { kept.withValue { $0 } }
        set { kept.withValue { $0 = newValue } }
    }
}
#endif
