// SPDX-License-Identifier: MIT

import Dispatch
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

/// The timers of debounces and throttles as tasks.
@Suite(.timeLimit(.minutes(5))) struct EffectTimerTests {
    @Test
    func `an older timer that comes late does not end the newer one`() async {
        let clock = ManualClock()
        let starts = Log<Int>()
        let late = LateClock(clock)
        let store = makeDesk(options: StoreOptions(clock: late)) { _, _ in .none }
        let runner = store.engine.effects
        onThreads(2) { thread in
            let owner = EffectOwner(
                engine: store.engine, runner: runner, kind: .thunk, lifetime: nil, address: .root,
                action: nil,
                startedBy: nil, order: 0)
            let effect = Effect.run(id: "save") { starts.append(thread) }
                .debounce(for: .seconds(1))
            if thread == 0 {
                // The time is read when the effect comes, and again when its timer starts.
                late.hold(reading: 2)
            } else {
                late.awaitReading()
            }
            _ = runner.submit(effect, in: owner)
            owner.release()
            if thread == 1 { late.goOn() }
        }
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await store.waitUntilIdle()
        #expect(starts.all == [1])
        #expect(runner.timerCount == 0)
    }

    @Test
    func `a timer that is over, or was given up, is forgotten`() async {
        let clock = ManualClock()
        let store = makeDesk(options: StoreOptions(clock: clock)) { text, _ in
            switch text {
            case "cancel": .cancel(id: "1")
            default: .run(id: text) {}.debounce(for: .seconds(1))
            }
        }
        for id in 1...5 { store.dispatch(DeskAction.say("\(id)")) }
        store.dispatch(DeskAction.say("2"))
        #expect(store.engine.effects.timerCount == 5)
        store.dispatch(DeskAction.say("cancel"))
        #expect(store.engine.effects.timerCount == 4)
        while store.engine.effects.timerCount > 0 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        await store.waitUntilIdle()
        await clock.noSleepers()
    }
}

/// A manual clock that can keep a thread waiting while it reads the time.
private struct LateClock: Clock {
    private let clock: ManualClock
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    /// The number of the selection that waits, counted from now on.
    private let countdown = Guarded(0)

    init(_ clock: ManualClock) { self.clock = clock }

    func hold(reading number: Int) { countdown.withValue { $0 = number } }
    func awaitReading() { arrived.wait() }
    func goOn() { opened.signal() }

    var minimumResolution: Duration { .zero }

    var now: ManualClock.Instant {
        let isHeld = countdown.withValue { count in
            count -= 1
            return count == 0
        }
        let now = clock.now
        if isHeld {
            arrived.signal()
            opened.wait()
        }
        return now
    }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
