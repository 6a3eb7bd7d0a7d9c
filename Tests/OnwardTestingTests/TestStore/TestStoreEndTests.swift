// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardJournal
import OnwardTesting
import Testing

/// What is found at the end of a test: leaks, programmer errors, uncaught errors.
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

    @Test func `an effect that only time can end is reported at once`() async {
        let start = ContinuousClock.now
        for effect in [
            { context in .run { try await context.clock.sleep(for: .seconds(9)) } },
            { context in .run {}.debounce(for: .seconds(9)) },
            { context in
                .sequence(.run {}, .run { try await context.clock.sleep(for: .seconds(9)) })
            },
            { context in
                .merge(.run(id: "a") { try await context.clock.sleep(for: .seconds(9)) })
            },
        ] as [@Sendable (EffectContext<Int>) -> Effect] {
            let texts = await issues(timeout: .seconds(600), of: effect)
            #expect(texts.count == 1)
            #expect(texts.first?.contains("not ended at the end of the test") == true)
        }
        #expect(start.duration(to: .now) < .seconds(300))
    }

    @Test func `the clock of a timeout does not count as sleep of the work`() async {
        let texts = await issues(timeout: .seconds(60)) { _ in
            .run {
                await Task.detached { for _ in 0..<100 { await Task.yield() } }.value
            }
            .timeout(after: .seconds(9))
        }
        #expect(texts == [])
    }

    @Test func `a While of the first state has begun when there is the test store`() async {
        let store = TestStore(true) {
            While(\.self) { _, context in try await context.clock.sleep(for: .seconds(9)) }
        }
        #expect(store.clock.sleeperCount == 1)
        await store.finish()
    }

    @Test func `a row is addressed by its path and id`() async {
        struct Row: Equatable, Sendable, Identifiable { let id: Int; var count = 0 }
        struct Rows: Equatable, Sendable { var rows: EntityTable<Row> = [Row(id: 1), Row(id: 2)] }
        let store = TestStore(Rows()) {
            Scope(each: \.rows) { Reduce { (row: inout Row, _: Go) in row.count += 1 } }
        }
        await store.dispatch(Go(), to: .row(\.rows, id: 2)) { $0.rows[id: 2]?.count = 1 }
        await store.finish()
    }

    @Test func `what comes back to a row is expected by its path and id, in all forms`() async {
        struct Row: Equatable, Sendable, Identifiable { let id: Int; var count = 0 }
        struct Rows: Equatable, Sendable { var rows: EntityTable<Row> = [Row(id: 1), Row(id: 2)] }
        struct Back: Action, Equatable {}
        let rows = Feature<Rows> {
            Scope(each: \.rows) {
                Reduce { (row: inout Row, _: Back) in row.count += 1 }
                Reduce { (_: inout Row, _: Go) in }
                OnAction { (_: Go, context) -> Effect in .run { context.dispatch(Back()) } }
            }
        }
        func texts(_ id: Int) async -> [String] {
            let issues = await Issues.found {
                let store = TestStore(Rows()) { rows }
                await store.dispatch(inSuccession: [Go(), Go(), Go()], to: .row(\.rows, id: 2))
                await store.receive(Back(), at: .row(\.rows, id: id)) { $0.rows[id: 2]?.count = 1 }
                await store.receive(Back.self, at: .row(\.rows, id: id)) {
                    $0.rows[id: 2]?.count = 2
                }
                await store.receive(where: { (_: Back) in true }, at: .row(\.rows, id: id)) {
                    $0.rows[id: 2]?.count = 3
                }
                await store.finish()
            }
            return issues.texts
        }
        #expect(await texts(2) == [])
        #expect(await texts(1).count == 3)
    }

    @Test func `an effect that does not heed its cancellation is a leak`() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let texts = await issues(.partial) { _ in
            .run(id: "deaf") {
                // A task of its own is not notified of the cancellation.
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

    @Test func `a programmer error in an effect fails the test`() async throws {
        struct Unknown: Action {}
        let texts = await issues { context in .run { context.dispatch(Unknown()) } }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("but no feature of the store handles it") == true)
    }

    @Test func `what a value could not be saved to or read from fails the test`() async {
        let issues = await Issues.found {
            let store = TestStore(0) {
                Reduce { (number: inout Int, _: Go) in number += 1 }
                Saving(\.self, in: BrokenStorage())
            }
            await store.dispatch(Go()) { $0 = 1 }
            await store.advance(by: .seconds(1))
            await store.finish()
        }
        // At the start, after the pause, and at the end.
        #expect(issues.texts.count == 3)
        #expect(issues.texts.allSatisfy { $0.contains("give the `Saving` a `report` of its own") })
    }

    @Test func `a value with a report of its own fails no test`() async {
        let reports = Guarded(0)
        let issues = await Issues.found {
            let store = TestStore(0) {
                Reduce { (number: inout Int, _: Go) in number += 1 }
                Saving(\.self, in: BrokenStorage(), report: { _ in reports.withValue { $0 += 1 } })
            }
            await store.finish()
        }
        #expect(issues.texts.isEmpty)
        #expect(reports.withValue { $0 } == 1)
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

/// A place that can't be read.
private struct BrokenStorage: ValueStorage {
    func read() throws -> [UInt8]? { throw CancellationError() }
    func write(_ bytes: [UInt8]) throws {}
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
