// SPDX-License-Identifier: MIT
#if Server

import Synchronization

/// A clock that moves when it is asked to, and then wakes the sleepers whose time has come.
final class StepClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: (until: Instant, wake: AsyncStream<Void>.Continuation)] = [:]
        var next = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (stream, wake) = AsyncStream.makeStream(of: Void.self)
        let (id, watchers) = state.withLock { state in
            state.next += 1
            if deadline <= state.now {
                wake.yield()
            } else {
                state.sleepers[state.next] = (deadline, wake)
            }
            defer { state.watchers = [] }
            return (state.next, state.watchers)
        }
        for watcher in watchers { watcher.resume() }
        defer { state.withLock { _ = $0.sleepers.removeValue(forKey: id) } }
        _ = await stream.first { _ in true }
        try Task.checkCancellation()
    }

    /// Waits for a sleeper, then moves the time on.
    func advance(by duration: Duration) async {
        await withCheckedContinuation { continuation in
            let isSleeping = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isSleeping { continuation.resume() }
        }
        move(by: duration)
    }

    /// Moves the time on, whoever sleeps.
    func move(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return state.sleepers.values.filter { $0.until <= state.now }.map(\.wake)
        }
        for wake in due { wake.yield() }
    }
}
#endif
