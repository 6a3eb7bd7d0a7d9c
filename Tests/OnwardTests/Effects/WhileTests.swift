// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// Writes down which effects begin and end; they last until they are cancelled.
private final class Lives: Sendable {
    private struct State {
        var log: [String] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let clock = ManualClock()
    private let state = Guarded(State())

    var log: [String] { state.withValue { $0.log } }

    func live(_ name: String) async {
        write("+" + name)
        try? await clock.sleep(for: .seconds(1))
        write("-" + name)
    }

    /// Waits until a number of begins and ends were written down.
    func lines(_ count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let isThere = state.withValue { state in
                if state.log.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        return log
    }

    private func write(_ line: String) {
        let served = state.withValue { state in
            state.log.append(line)
            let count = state.log.count
            let served = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return served
        }
        for waiter in served { waiter.continuation.resume() }
    }
}

@Suite(.timeLimit(.minutes(5))) struct WhileTests {
    private let lives = Lives()

    private func store(_ state: Desk = Desk()) -> Store<Desk> {
        Store(state) { [lives] in
            desk
            While(\.isOpen) { _, _ in await lives.live("open") }
            While(\.channel) { channel, _ in await lives.live("\(channel)") }
        }
    }

    @Test
    func `an effect of a Bool lives while that is true`() async {
        let store = store()
        store.dispatch(DeskAction.open(true))
        #expect(await lives.lines(1) == ["+open"])
        #expect(store.diagnostics.runningEffects.map(\.kind) == [.state])
        #expect(store.diagnostics.runningEffects.map(\.startedBy) == [1])
        store.dispatch(DeskAction.open(true))
        store.dispatch(DeskAction.open(false))
        #expect(await lives.lines(2) == ["+open", "-open"])
    }

    @Test
    func `an effect of an optional lives while there is a value, and anew for another one`() async {
        let store = store()
        store.dispatch(DeskAction.tune(1))
        #expect(await lives.lines(1) == ["+1"])
        store.dispatch(DeskAction.tune(1))
        store.dispatch(DeskAction.notified("something else"))
        store.dispatch(DeskAction.tune(2))
        #expect(await lives.lines(3).sorted() == ["+1", "+2", "-1"])
        store.dispatch(DeskAction.tune(nil))
        #expect(await lives.lines(4).last == "-2")
        await store.shutdown()
        #expect(lives.log.count == 4)
    }

    @Test
    func `what the first state says lives from the beginning, started by no entry`() async {
        let store = store(Desk(isOpen: true))
        #expect(await lives.lines(1) == ["+open"])
        #expect(store.diagnostics.runningEffects.map(\.startedBy) == [nil])
    }

    @Test
    func `an effect that returns by itself is over until the value changes`() async {
        let runs = Log<Int>()
        let store = Store(Desk()) {
            desk
            While(\.channel) { channel, context in
                runs.append(channel)
                context.dispatch(DeskAction.notified("\(channel)"))
            }
        }
        store.dispatch(DeskAction.tune(1))
        _ = try? await store.wait { $0.notified == ["1"] }
        store.dispatch(DeskAction.open(true))
        store.dispatch(DeskAction.tune(2))
        _ = try? await store.wait { $0.notified == ["1", "2"] }
        #expect(runs.all == [1, 2])
    }

    @Test
    func `a clock ticks exactly while the state says so`() async {
        let clock = ManualClock()
        let store = Store(Desk(), options: StoreOptions(clock: clock)) {
            desk
            While(\.isOpen) { _, context in
                for await tick in context.clock.ticks(every: .seconds(1)) {
                    context.dispatch(DeskAction.notified("\(tick)"))
                }
            }
        }
        store.dispatch(DeskAction.open(true))
        for tick in 1...3 {
            await clock.sleeper(until: .seconds(tick))
            clock.advance(by: .seconds(1))
        }
        await clock.sleeper(until: .seconds(4))
        store.dispatch(DeskAction.open(false))
        await clock.noSleepers()
        clock.advance(by: .seconds(9))
        #expect(store.state.notified == ["1", "2", "3"])
    }

    private struct Poll: Sendable, Equatable {
        var interval: Duration?
        var polls: [Int] = []
    }

    private enum PollAction: Action { case every(Duration?), polled(Int) }

    @Test(arguments: [true, false])
    func `an interval that changes all the time ends an interval after the last tick`(
        selecting: Bool
    ) async {
        let clock = ManualClock()
        let body: @Sendable (Duration, EffectContext<Poll>) async throws -> Void = {
            for await number in $1.ticks(every: $0) { $1.dispatch(PollAction.polled(number)) }
        }
        let store = Store(Poll(interval: .seconds(5)), options: StoreOptions(clock: clock)) {
            Reduce { (poll: inout Poll, action: PollAction) in
                switch action {
                case .every(let interval): poll.interval = interval
                case .polled(let number): poll.polls.append(number)
                }
            }
            selecting ? While(.selecting { $0.interval }, body) : While(\.interval, body)
        }
        func pass(_ seconds: Int, changing: Bool) async {
            for second in 0..<seconds {
                await clock.sleepers(1)
                clock.advance(by: .seconds(1))
                guard changing else { continue }
                store.dispatch(PollAction.every(.milliseconds(5_000 + second)))
                while store.diagnostics.runningEffects.contains(where: { $0.phase == .cancelled }) {
                    await Task.yield()
                }
            }
            await clock.sleepers(1)
        }
        await pass(12, changing: true)
        #expect(store.state.polls == [1, 2])
        // One that was due under a shorter interval comes at once.
        store.dispatch(PollAction.every(.seconds(1)))
        while store.state.polls.count < 3 { await Task.yield() }
        #expect(store.state.polls.last == 3)
        // A value that was absent begins anew.
        store.dispatch(PollAction.every(nil))
        await clock.noSleepers()
        store.dispatch(PollAction.every(.seconds(3)))
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await clock.sleepers(1)
        #expect(store.state.polls.count == 3)
        clock.advance(by: .seconds(1))
        while store.state.polls.count < 4 { await Task.yield() }
        #expect(store.state.polls.last == 1)
        await store.shutdown()
    }

    @Test
    func `an effect may be tried again, until the value goes`() async {
        let clock = ManualClock()
        let failures = Failures()
        let attempts = Log<Int>()
        let store = Store(Desk(), options: failures.options(clock: clock)) {
            desk
            While(\.channel) { channel, _ in
                attempts.append(channel)
                throw Broken()
            }
            .modifying { $0.retry(attempts: 9, .constant(.seconds(1))) }
        }
        store.dispatch(DeskAction.tune(1))
        for _ in 0..<2 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        await clock.sleepers(1)
        store.dispatch(DeskAction.tune(nil))
        await clock.noSleepers()
        #expect(attempts.all == [1, 1, 1])
        #expect(failures.all.isEmpty)
    }

    @Test
    func `an effect that throws is over until the value changes`() async {
        let failures = Failures()
        let runs = Log<Int>()
        let store = Store(Desk(), options: failures.options()) {
            desk
            While(\.channel) { channel, _ in
                runs.append(channel)
                throw Broken(number: channel)
            }
        }
        store.dispatch(DeskAction.tune(1))
        _ = await failures.first()
        store.dispatch(DeskAction.notified("something else"))
        store.dispatch(DeskAction.tune(2))
        while failures.all.count < 2 { await Task.yield() }
        #expect(runs.all == [1, 2])
    }

    @Test
    func `a poll that catches goes on after one that failed, and ends with the value`() async {
        let clock = ManualClock()
        let failures = Failures()
        let polls = Log<Int>()
        let store = Store(Desk(), options: failures.options(clock: clock)) {
            desk
            While(\.isOpen) { _, context in
                for await tick in context.clock.ticks(every: .seconds(30)) {
                    do {
                        polls.append(tick)
                        if tick == 2 { throw Broken() }
                        if tick == 4 { try await context.clock.sleep(for: .seconds(9)) }
                        context.dispatch(DeskAction.notified("\(tick)"))
                    } catch {
                        context.dispatch(DeskAction.notified("failed"))
                    }
                }
            }
        }
        store.dispatch(DeskAction.open(true))
        for tick in 1...4 {
            await clock.sleeper(until: .seconds(30 * tick))
            clock.advance(by: .seconds(30))
        }
        await clock.sleeper(until: .seconds(129))
        store.dispatch(DeskAction.open(false))
        await clock.noSleepers()
        #expect(polls.all == [1, 2, 3, 4])
        #expect(store.state.notified == ["1", "failed", "3"])
        #expect(failures.all.isEmpty)
    }

    @Test
    func `what stands beside an effect lives and ends with it`() async {
        let store = Store(Desk()) { [lives] in
            desk
            While(\.isOpen) { _, _ in await lives.live("a") }
                .modifying { .merge($0, .run { await lives.live("b") }) }
                .modifying { .merge($0, .run { await lives.live("c") }) }
        }
        store.dispatch(DeskAction.open(true))
        #expect(await lives.lines(3).sorted() == ["+a", "+b", "+c"])
        store.dispatch(DeskAction.open(false))
        #expect(await lives.lines(6).suffix(3).sorted() == ["-a", "-b", "-c"])
    }

    @Test
    func `idle does not wait for effects of a state`() async {
        let store = store()
        store.dispatch(DeskAction.open(true))
        _ = await lives.lines(1)
        await store.waitUntilIdle()
        #expect(store.diagnostics.runningEffects.count == 1)
    }

    @Test
    func `other features take over when they replace those before`() async {
        let store = store(Desk(isOpen: true))
        _ = await lives.lines(1)
        store.log.replaceFeatures { [lives] in
            desk
            While(\.isOpen) { _, _ in await lives.live("new") }
        }
        #expect(await lives.lines(3).sorted() == ["+new", "+open", "-open"])
        store.dispatch(DeskAction.open(false))
        #expect(await lives.lines(4).last == "-new")
    }
}
