// SPDX-License-Identifier: MIT

import Onward

/// A clock that moves only when a test says so.
///
/// ```swift
/// let clock = ManualClock()
/// let store = Store(AppState(), options: StoreOptions(clock: clock)) { … }
/// await clock.sleepers(1)          // somebody sleeps now
/// clock.advance(by: .seconds(1))   // and wakes up
/// ```
public final class ManualClock: Clock {
    /// A moment of a manual clock: the time since the clock was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let elapsed: Swift.Duration

        /// A moment that is later by a duration.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }

        /// The time from this moment to another one.
        public func duration(to other: Instant) -> Swift.Duration {
            other.elapsed - elapsed
        }

        /// Whether the left moment is before the right one.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.elapsed < right.elapsed
        }
    }

    private struct Sleeper {
        let id: UInt64
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(elapsed: .zero)
        var sleepers: [Sleeper] = []
        var waiters: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var lastID: UInt64 = 0
    }

    private let state = Guarded(State())

    /// A clock at zero.
    public init() {}

    /// The time since the clock was made, as often as it was advanced.
    public var now: Instant { state.withValue { $0.now } }

    /// The smallest step; zero, as the clock takes any.
    public var minimumResolution: Swift.Duration { .zero }

    /// Moves the clock on; wakes, in the order of their deadlines, all whose time has come.
    public func advance(by duration: Swift.Duration) {
        let due = state.withValue { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sleeps until the clock was advanced to a moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let id = state.withValue { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(id: id, deadline: deadline, continuation: continuation)
                start(sleeper)
            }
        } onCancel: {
            let sleeper = state.withValue { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        state.withValue { _ = $0.cancelled.remove(id) }
    }

    /// How many tasks sleep on the clock.
    public var sleeperCount: Int { state.withValue { $0.sleepers.count } }

    /// Waits until at least so many tasks sleep on the clock.
    public func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withValue { state in
                if state.sleepers.count >= count { return true }
                state.waiters.append(Waiter(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func start(_ sleeper: Sleeper) {
        enum Answer { case cancelled, due, sleeps([Waiter]) }
        let answer = state.withValue { state -> Answer in
            if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let served = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return .sleeps(served)
        }
        switch answer {
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .due: sleeper.continuation.resume()
        case .sleeps(let waiters): for waiter in waiters { waiter.continuation.resume() }
        }
    }
}
