// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct EffectTimingTests {
    private let clock = ManualClock()
    private var options: StoreOptions { StoreOptions(clock: clock) }

    /// A store whose effects report at once what they were started with.
    private func store(_ change: @escaping @Sendable (Effect) -> Effect) -> Store<Desk> {
        makeDesk(options: options) { text, context in
            if text == "stop" { return .cancel(id: "x") }
            return change(.run(id: "x") { context.dispatch(DeskAction.notified(text)) })
        }
    }

    @Test
    func `debounce starts the newest effect when none came for the duration`() async {
        let store = store { $0.debounce(for: .seconds(3)) }
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        store.dispatch(DeskAction.say("b"))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.waiting])
        await clock.sleeper(until: .seconds(5))
        clock.advance(by: .seconds(2))
        #expect(store.state.notified.isEmpty)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.waiting])
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["b"])
    }

    @Test
    func `no answer to an old text comes in while a newer one waits for its pause`() async {
        let store = makeDesk(options: options) { [clock] text, context in
            .run(id: "x", .latest) {
                // A service that answers although nobody wants its answer any more.
                try? await clock.sleep(for: .seconds(3))
                context.dispatch(DeskAction.notified(text))
            }
            .debounce(for: .seconds(2))
        }
        store.dispatch(DeskAction.say("a"))
        await clock.sleeper(until: .seconds(2))
        clock.advance(by: .seconds(2))
        await clock.sleeper(until: .seconds(5))
        clock.advance(by: .seconds(2))
        store.dispatch(DeskAction.say("ab"))
        await clock.sleeper(until: .seconds(6))
        clock.advance(by: .seconds(1))
        #expect(store.diagnostics.runningEffects.contains { $0.phase == .waiting })
        clock.advance(by: .seconds(1))
        await clock.sleeper(until: .seconds(9))
        clock.advance(by: .seconds(3))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["ab"])
    }

    @Test
    func `a debounced effect that waits can be cancelled, and its timer ends`() async {
        let store = store { $0.debounce(for: .seconds(3)) }
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        await store.waitUntilIdle()
        await clock.noSleepers()
        #expect(store.state.notified.isEmpty)
    }

    @Test
    func `throttle, leading: the first at once, those within the duration are dropped`() async {
        let store = store { $0.throttle(for: .seconds(3)) }
        await store.run(DeskAction.say("a"))
        await store.run(DeskAction.say("b"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        await clock.noSleepers()
        await store.run(DeskAction.say("c"))
        #expect(store.state.notified == ["a", "c"])
    }

    @Test
    func `throttle, trailing: the newest at the end of each duration`() async {
        let store = store { $0.throttle(for: .seconds(3), .trailing) }
        store.dispatch(DeskAction.say("a"))
        store.dispatch(DeskAction.say("b"))
        await clock.sleepers(1)
        #expect(store.state.notified.isEmpty)
        clock.advance(by: .seconds(3))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["b"])
        store.dispatch(DeskAction.say("c"))
        await clock.sleeper(until: .seconds(6))
        clock.advance(by: .seconds(2))
        #expect(store.state.notified == ["b"])
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["b", "c"])
    }

    @Test
    func `throttle, both: the first at once and the newest of the others at the end`() async {
        let store = store { $0.throttle(for: .seconds(3), .both) }
        for text in ["a", "b", "c"] { store.dispatch(DeskAction.say(text)) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a", "c"])
        // The rest of a duration counts from the last start.
        store.dispatch(DeskAction.say("d"))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.waiting])
        await clock.sleeper(until: .seconds(6))
        clock.advance(by: .seconds(3))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["a", "c", "d"])
    }

    @Test
    func `a timeout cancels the work and makes it fail; what is done in time passes`() async {
        let clock = clock
        let failures = Log<String>()
        let store = makeDesk(options: options) { text, context in
            .run {
                try await clock.sleep(for: text == "slow" ? .seconds(9) : .seconds(1))
                context.dispatch(DeskAction.notified(text))
            } catching: { error in
                failures.append("\(error is EffectTimeout): \(error)")
            }
            .timeout(after: .seconds(5))
        }
        store.dispatch(DeskAction.say("slow"))
        store.dispatch(DeskAction.say("fast"))
        await clock.sleepers(4)
        clock.advance(by: .seconds(1))
        _ = try? await store.wait { $0.notified == ["fast"] }
        clock.advance(by: .seconds(4))
        await store.waitUntilIdle()
        await clock.noSleepers()
        #expect(failures.all == ["true: The effect did not end within 5.0 seconds."])
        #expect(store.state.notified == ["fast"])
    }

    @Test
    func `what a timed-out effect answers nevertheless is not dispatched`() async {
        let (barrier, cancelled) = (Barrier(), Barrier())
        let store = makeDesk(options: options) { _, context in
            .run {
                await withTaskCancellationHandler {
                    await barrier.pass()
                } onCancel: {
                    cancelled.open()
                }
                context.dispatch(DeskAction.notified("late"))
            } catching: { _ in
                context.dispatch(DeskAction.notified("timed out"))
            }
            .timeout(after: .seconds(5))
        }
        store.dispatch(DeskAction.say("go"))
        await barrier.arrivals(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        await cancelled.pass()
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.notified == ["timed out"])
    }

    @Test
    func `retry waits longer each time, and reports the last error alone`() async {
        let attempts = Log<Duration>()
        let failures = Failures()
        let clock = clock
        let store = makeDesk(options: failures.options(clock: clock)) { _, _ in
            .run {
                attempts.append(clock.now.elapsed)
                throw Broken(number: attempts.all.count)
            }
            .retry(
                attempts: 4,
                .exponential(from: .seconds(1), factor: 3, upTo: .seconds(5), jitter: 0))
        }
        store.dispatch(DeskAction.say("go"))
        for pause in [1, 3, 5] {
            await clock.sleepers(1)
            clock.advance(by: .seconds(pause))
        }
        await store.waitUntilIdle()
        #expect(attempts.all == [.zero, .seconds(1), .seconds(4), .seconds(9)])
        #expect(failures.all.map { $0.error as? Broken } == [Broken(number: 4)])
    }

    @Test
    func `retry stops at the first success, and when it is cancelled`() async {
        let attempts = Log<String>()
        let clock = clock
        let failures = Failures()
        let store = makeDesk(options: failures.options(clock: clock)) { text, context in
            if text == "stop" { return .cancel(id: "x") }
            return .run(id: "x") {
                attempts.append(text)
                if attempts.all.count != 2 { throw Broken() }
                context.dispatch(DeskAction.notified(text))
            }
            .retry(attempts: 9, .constant(.seconds(1)))
        }
        store.dispatch(DeskAction.say("a"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(attempts.all == ["a", "a"])
        #expect(store.state.notified == ["a"])
        store.dispatch(DeskAction.say("b"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        await store.waitUntilIdle()
        #expect(attempts.all == ["a", "a", "b"])
        #expect(failures.all.isEmpty)
    }

    @Test
    func `a handler is called once, after the last attempt`() async {
        let handled = Log<Broken?>()
        let attempts = Log<Int>()
        let store = makeDesk(options: options) { _, _ in
            .run {
                attempts.append(1)
                throw Broken(number: attempts.all.count)
            } catching: { error in
                handled.append(error as? Broken)
            }
            .retry(attempts: 3, .constant(.zero))
        }
        await store.run(DeskAction.say("go"))
        #expect(handled.all == [Broken(number: 3)])
    }

    /// An effect that fails a number of times before it reports its name.
    private func failing(
        _ name: String, times: Int, _ attempts: Log<String>, _ context: EffectContext<Desk>
    ) -> Effect {
        .run {
            attempts.append(name)
            guard attempts.all.count(where: { $0 == name }) > times else { throw Broken() }
            context.dispatch(DeskAction.notified(name))
        } catching: { _ in
            context.dispatch(DeskAction.notified("\(name) failed"))
        }
    }

    @Test
    func `retry of a merge tries each of its effects again that fails, and no other`() async {
        let attempts = Log<String>()
        let store = makeDesk(options: options) { [self] _, context in
            .merge(
                failing("once", times: 0, attempts, context),
                .merge(failing("thrice", times: 2, attempts, context)),
                failing("never", times: 9, attempts, context)
            )
            .retry(attempts: 3, .constant(.zero))
        }
        await store.run(DeskAction.say("go"))
        #expect(store.state.notified.sorted() == ["never failed", "once", "thrice"])
        #expect(attempts.all.count { $0 == "once" } == 1)
        #expect(attempts.all.count { $0 == "thrice" } == 3)
        #expect(attempts.all.count { $0 == "never" } == 3)
    }

    @Test
    func `also of a merge that has a timeout, and of one among the steps of a sequence`() async {
        let attempts = Log<String>()
        let store = makeDesk(options: options) { [self] text, context in
            let merge = Effect.merge(
                failing("\(text) once", times: 0, attempts, context),
                failing("\(text) twice", times: 1, attempts, context))
            return text == "timeout"
                ? merge.timeout(after: .seconds(1)).retry(attempts: 2, .constant(.zero))
                : .sequence(merge, .dispatch(DeskAction.notified("then")))
                    .timeout(after: .seconds(1)).retry(attempts: 2, .constant(.zero))
        }
        await store.run(DeskAction.say("timeout"))
        #expect(attempts.all.sorted() == ["timeout once", "timeout twice", "timeout twice"])
        #expect(store.state.notified.sorted() == ["timeout once", "timeout twice"])
        await store.run(DeskAction.say("sequence"))
        #expect(attempts.all.count { $0 == "sequence once" } == 1)
        #expect(attempts.all.count { $0 == "sequence twice" } == 2)
        #expect(store.state.notified.suffix(2) == ["sequence twice", "then"])
    }

    @Test
    func `a timeout of a merge is that of each of its effects, and so is the repetition`() async {
        let clock = clock
        let failures = Log<String>()
        let store = makeDesk(options: options) { text, context in
            func wait(_ name: String, _ duration: Duration) -> Effect {
                .run {
                    try await clock.sleep(for: duration)
                    context.dispatch(DeskAction.notified(name))
                } catching: { error in
                    failures.append("\(name): \(error is EffectTimeout)")
                }
            }
            let merge = Effect.merge(wait("fast", .seconds(1)), wait("slow", .seconds(9)))
            return text == "timeout"
                ? merge.timeout(after: .seconds(5)) : merge.repeated(every: .seconds(4))
        }
        store.dispatch(DeskAction.say("timeout"))
        await clock.sleepers(4)
        clock.advance(by: .seconds(1))
        _ = try? await store.wait { $0.notified == ["fast"] }
        clock.advance(by: .seconds(4))
        await store.waitUntilIdle()
        #expect(failures.all == ["slow: true"])
        store.dispatch(DeskAction.say("repeat"))
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        await clock.sleeper(until: .seconds(9))
        clock.advance(by: .seconds(3))
        await clock.sleeper(until: .seconds(10))
        clock.advance(by: .seconds(1))
        _ = try? await store.wait { $0.notified == ["fast", "fast", "fast"] }
        #expect(!store.state.notified.contains("slow"))
        await store.shutdown()
    }

    @Test
    func `jitter comes from the store's random source`() async {
        func waits(seed: UInt64) async -> [Duration] {
            let clock = HastyClock()
            let options = StoreOptions(
                clock: clock, effectError: { _ in },
                random: RandomSource(seed: seed))
            let store = makeDesk(options: options) { _, _ in
                .run { throw Broken() }
                    .retry(attempts: 4, .exponential(from: .seconds(8), jitter: 0.5))
            }
            await store.run(DeskAction.say("go"))
            return clock.waits
        }
        let first = await waits(seed: 1)
        #expect(await waits(seed: 1) == first)
        #expect(await waits(seed: 2) != first)
        #expect(first.count == 3)
        for (wait, longest) in zip(first, [8, 16, 32]) {
            #expect(wait > .seconds(longest) / 2 && wait < .seconds(longest))
        }
    }

    @Test(arguments: [
        (Backoff.constant(.seconds(2)), [2, 2, 2]),
        (.exponential(from: .seconds(1), factor: 10, upTo: .seconds(50), jitter: 0), [1, 10, 50]),
        (
            .exponential(from: .seconds(9), factor: 1e300, upTo: .seconds(50), jitter: 0),
            [9, 50, 50]
        ),
        (
            .exponential(from: .seconds(9), factor: .nan, upTo: .seconds(50), jitter: 0),
            [9, 50, 50]
        ),
        (.exponential(from: .seconds(9), factor: 2, upTo: .seconds(5), jitter: -3), [5, 5, 5]),
        (.exponential(from: .seconds(-9), factor: 2, upTo: .seconds(5), jitter: 0), [0, 0, 0]),
    ])
    func `waits between attempts grow up to their limit, whatever the numbers`(
        _ backoff: Backoff, _ seconds: [Int]
    ) async {
        let clock = HastyClock()
        let options = StoreOptions(clock: clock, effectError: { _ in })
        let store = makeDesk(options: options) { _, _ in
            .run { throw Broken() }.retry(attempts: 4, backoff)
        }
        await store.run(DeskAction.say("go"))
        #expect(clock.waits == seconds.map { .seconds($0) })
    }

    @Test
    func `repeated works at once and at each interval, and never overlaps with itself`() async {
        let clock = clock
        let times = Log<Duration>()
        let store = makeDesk(options: options) { text, _ in
            if text == "stop" { return .cancel(id: "x") }
            return .run(id: "x") {
                times.append(clock.now.elapsed)
                if times.all.count == 2 { try await clock.sleep(for: .seconds(25)) }
            }
            .repeated(every: .seconds(10))
        }
        store.dispatch(DeskAction.say("go"))
        await clock.sleepers(1)
        clock.advance(by: .seconds(10))  // the second one begins, and takes until 35
        await clock.sleepers(1)
        clock.advance(by: .seconds(25))
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        await store.waitUntilIdle()
        await clock.noSleepers()
        #expect(times.all == [.zero, .seconds(10), .seconds(40)])
    }

    @Test
    func `durations may be as short or as long as can be said`() async {
        let turns = Log<Int>()
        let store = makeDesk(options: StoreOptions()) { text, _ in
            switch text {
            case "short":
                return .run(id: "short") {
                    turns.append(1)
                    if turns.all.count == 3 { throw CancellationError() }
                }
                .repeated(every: .seconds(-1))
            case "long":
                return .run(id: "long") { turns.append(2) }.timeout(after: .seconds(Int64.max))
            default:
                return .merge(
                    .run(id: "debounce") {}.debounce(for: .seconds(Int64.max)),
                    .run(id: "repeat") { turns.append(3) }.repeated(every: .seconds(Int64.max)))
            }
        }
        store.dispatch(DeskAction.say("short"))
        await store.waitUntilIdle()
        store.dispatch(DeskAction.say("long"))
        await store.waitUntilIdle()
        #expect(turns.all == [1, 1, 1, 2])
        store.dispatch(DeskAction.say("both"))
        while turns.all.count < 5 { await Task.yield() }
        await store.shutdown()
    }

    @Test
    func `ticks count the intervals, and leave out those that were missed`() async {
        let clock = clock
        let ticks = Log<Int>()
        let task = Task {
            for await tick in clock.ticks(every: .seconds(2)) { ticks.append(tick) }
        }
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await clock.sleepers(1)
        clock.advance(by: .seconds(7))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(1)
        task.cancel()
        await task.value
        #expect(ticks.all == [1, 2, 5])
    }
}

/// A clock on which every sleep is over at once; it writes down how long each should have been.
private final class HastyClock: Clock {
    private let state = Guarded(ManualClock().now)
    private let log = Log<Duration>()

    var waits: [Duration] { log.all }
    var now: ManualClock.Instant { state.withValue { $0 } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        log.append(now.duration(to: deadline))
        state.withValue { $0 = max($0, deadline) }
    }
}
