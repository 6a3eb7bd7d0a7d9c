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

    /// What somebody waits for.
    private enum Goal {
        case sleepers(Int)
        case sleeper(until: Instant)
        case noSleepers

        func isReached(by sleepers: [Sleeper]) -> Bool {
            switch self {
            case .sleepers(let count): sleepers.count >= count
            case .sleeper(let deadline): sleepers.contains { $0.deadline == deadline }
            case .noSleepers: sleepers.isEmpty
            }
        }
    }

    private struct Waiter {
        let goal: Goal
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(elapsed: .zero)
        var sleepers: [Sleeper] = []
        var waiters: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var lastID: UInt64 = 0

        /// Takes out those whose goal is reached.
        mutating func takeServed() -> [Waiter] {
            let served = waiters.filter { $0.goal.isReached(by: sleepers) }
            waiters.removeAll { $0.goal.isReached(by: sleepers) }
            return served
        }
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
        let (due, served) = state.withValue { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return (due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }, state.takeServed())
        }
        for sleeper in due { sleeper.continuation.resume() }
        for waiter in served { waiter.continuation.resume() }
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
            let (sleeper, served) = state.withValue { state -> (Sleeper?, [Waiter]) in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return (nil, [])
                }
                return (state.sleepers.remove(at: index), state.takeServed())
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            for waiter in served { waiter.continuation.resume() }
        }
        state.withValue { _ = $0.cancelled.remove(id) }
    }

    /// How many tasks sleep on the clock.
    public var sleeperCount: Int { state.withValue { $0.sleepers.count } }

    /// Waits until at least so many tasks sleep on the clock.
    public func sleepers(_ count: Int) async {
        await wait(for: .sleepers(count))
    }

    /// Waits until a task sleeps up to the moment at which so much time has passed since the clock
    /// was made.
    public func sleeper(until elapsed: Swift.Duration) async {
        await wait(for: .sleeper(until: Instant(elapsed: elapsed)))
    }

    /// Waits until no task sleeps on the clock.
    public func noSleepers() async {
        await wait(for: .noSleepers)
    }

    private func wait(for goal: Goal) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withValue { state in
                if goal.isReached(by: state.sleepers) { return true }
                state.waiters.append(Waiter(goal: goal, continuation: continuation))
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
            return .sleeps(state.takeServed())
        }
        switch answer {
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .due: sleeper.continuation.resume()
        case .sleeps(let waiters): for waiter in waiters { waiter.continuation.resume() }
        }
    }
}
