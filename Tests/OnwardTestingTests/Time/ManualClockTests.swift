// SPDX-License-Identifier: MIT

import OnwardTesting
import Testing

@Suite struct ManualClockTests {
    @Test
    func `moves only when asked to`() {
        let clock = ManualClock()
        let start = clock.now
        clock.advance(by: .seconds(3))
        clock.advance(by: .seconds(4))
        #expect(start.duration(to: clock.now) == .seconds(7))
    }

    @Test
    func `wakes the sleepers whose time has come, and no others`() async throws {
        let clock = ManualClock()
        let woken = Recorder<Int>()
        async let late: Void = {
            try await clock.sleep(for: .seconds(10))
            woken.record(0, 10)
        }()
        async let early: Void = {
            try await clock.sleep(for: .seconds(5))
            woken.record(0, 5)
        }()
        await clock.sleepers(2)
        clock.advance(by: .seconds(5))
        try await early
        #expect(woken.values == [5])
        clock.advance(by: .seconds(5))
        try await late
        #expect(woken.values == [5, 10])
    }

    @Test
    func `does not sleep towards a moment that has passed`() async throws {
        let clock = ManualClock()
        let past = clock.now
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: past)
    }

    @Test
    func `ends a sleep whose task is cancelled with an error`() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    #if Testing
    @Test
    func `sleepers that never come end with a message at the line that waits`() async {
        let line = #line + 4
        let issues = await Issues.found {
            let clock = ManualClock()
            clock.advance(by: .seconds(2))
            await clock.sleepers(1, within: .milliseconds(10))
            let sleeper = Task { try? await clock.sleep(for: .seconds(3)) }
            await clock.sleepers(1)
            await clock.sleeper(until: .seconds(4), within: .milliseconds(10))
            await clock.noSleepers(within: .milliseconds(10))
            sleeper.cancel()
            await clock.noSleepers()
        }
        #expect(issues.all.map(\.line) == [line, line + 3, line + 4])
        let hint = """
            To fix this, check that what should sleep has been started and uses this clock \
            (`context.clock` in an effect), and that the clock was not advanced before it slept.
            """
        let wait = "Waited 0.01 seconds of real time for"
        #expect(
            issues.texts == [
                "\(wait) 1 sleeping task on the manual clock, in vain. It stands at 2.0 seconds; no "
                    + "task sleeps on it. \(hint)",
                "\(wait) a task that sleeps until 4.0 seconds on the manual clock, in vain. It "
                    + "stands at 2.0 seconds; 1 task sleeps on it, until 5.0 seconds. \(hint)",
                "\(wait) the end of all sleeps on the manual clock, in vain. It stands at 2.0 "
                    + "seconds; 1 task sleeps on it, until 5.0 seconds. To fix this, advance the "
                    + "clock, or cancel the tasks that sleep.",
            ])
    }

    @Test
    func `a cancelled wait ends without a message`() async {
        let issues = await Issues.found {
            let clock = ManualClock()
            let wait = Task { await clock.sleepers(1) }
            wait.cancel()
            await wait.value
        }
        #expect(issues.texts == [])
    }
    #endif
}
