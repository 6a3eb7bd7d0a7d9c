// SPDX-License-Identifier: MIT

import OnwardTesting
import Testing

@Suite struct ManualClockTests {
    @Test
    func `moves only when told to`() {
        let clock = ManualClock()
        let start = clock.now
        clock.advance(by: .seconds(3))
        clock.advance(by: .seconds(4))
        #expect(start.duration(to: clock.now) == .seconds(7))
    }

    @Test
    func `wakes whose time has come, and nobody else`() async throws {
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
}
