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
///
/// Waiting for sleepers takes real time, at most ten seconds by default. After that, the test fails
/// at the waiting line with a message that says what sleeps; without the trait `Testing`, the
/// program stops with that message.
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
        /// The effect that sleeps; nil for any other task.
        let effect: UInt64?
    }

    private struct State {
        var now = Instant(elapsed: .zero)
        var sleepers: [Sleeper] = []
        var cancelled: Set<UInt64> = []
        var lastID: UInt64 = 0
    }

    private let state = Awaited(State())

    /// Creates a clock at zero.
    public init() {}

    /// The time since the clock was made: the sum of its advances.
    public var now: Instant { state.withValue { $0.now } }

    /// The smallest step; zero, because the clock accepts any.
    public var minimumResolution: Swift.Duration { .zero }

    /// Advances the clock, and wakes all sleepers whose time has come, in the order of their
    /// deadlines.
    public func advance(by duration: Swift.Duration) {
        let due = state.withValue { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sleeps until the clock has been advanced to a moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let id = state.withValue { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(
                    Sleeper(
                        id: id, deadline: deadline, continuation: continuation,
                        effect: RunningEffect.currentNumber))
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

    private func start(_ sleeper: Sleeper) {
        enum Answer { case cancelled, due, sleeps }
        let answer = state.withValue { state -> Answer in
            if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers.append(sleeper)
            return .sleeps
        }
        switch answer {
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .due: sleeper.continuation.resume()
        case .sleeps: break
        }
    }

    // MARK: Who sleeps

    /// How many tasks sleep on the clock.
    public var sleeperCount: Int { state.withValue { $0.sleepers.count } }

    /// Whether an effect sleeps on the clock, other than for a timeout around its work.
    func isAsleep(_ effect: UInt64) -> Bool {
        state.withValue { $0.sleepers.contains { $0.effect == effect } }
    }

    /// The deadlines of the tasks that sleep on the clock, earliest first.
    ///
    /// - Complexity: O(n log n) in the number of tasks.
    public var deadlines: [Instant] { state.withValue { $0.sleepers.map(\.deadline).sorted() } }

    /// Waits until at least a given number of tasks sleep on the clock.
    ///
    /// - Parameters:
    ///   - count: How many tasks.
    ///   - limit: How much real time this may take before the test fails.
    ///   - fileID: The source file, for the failure.
    ///   - filePath: The path of the source file, for the failure.
    ///   - line: The source line, for the failure.
    ///   - column: The column in the line, for the failure.
    public func sleepers(
        _ count: Int, within limit: Swift.Duration = .seconds(10),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) async {
        await wait(
            within: limit, for: "\(count) sleeping \(count == 1 ? "task" : "tasks")",
            at: CallSite(fileID, filePath, line, column)
        ) { $0.sleepers.count >= count }
    }

    /// Waits until a task sleeps until the moment at which a given time has passed since the clock
    /// was made.
    ///
    /// - Parameters:
    ///   - elapsed: The time from zero to that moment.
    ///   - limit: How much real time this may take before the test fails.
    ///   - fileID: The source file, for the failure.
    ///   - filePath: The path of the source file, for the failure.
    ///   - line: The source line, for the failure.
    ///   - column: The column in the line, for the failure.
    public func sleeper(
        until elapsed: Swift.Duration, within limit: Swift.Duration = .seconds(10),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) async {
        let deadline = Instant(elapsed: elapsed)
        await wait(
            within: limit, for: "a task that sleeps until \(elapsed)",
            at: CallSite(fileID, filePath, line, column)
        ) { $0.sleepers.contains { $0.deadline == deadline } }
    }

    /// Waits until no task sleeps on the clock.
    ///
    /// - Parameters:
    ///   - limit: How much real time this may take before the test fails.
    ///   - fileID: The source file, for the failure.
    ///   - filePath: The path of the source file, for the failure.
    ///   - line: The source line, for the failure.
    ///   - column: The column in the line, for the failure.
    public func noSleepers(
        within limit: Swift.Duration = .seconds(10), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        await wait(
            within: limit, for: "the end of all sleeps",
            at: CallSite(fileID, filePath, line, column),
            hint: "To fix this, advance the clock, or cancel the tasks that sleep."
        ) { $0.sleepers.isEmpty }
    }

    private func wait(
        within limit: Swift.Duration, for goal: String, at callSite: CallSite,
        hint: String = ManualClock.missingSleeper,
        until condition: @escaping @Sendable (State) -> Bool
    ) async {
        guard await state.wait(atMost: limit, until: condition) == .late else { return }
        Issue.report(
            """
            Waited \(limit) of real time for \(goal) on the manual clock, in vain. \(situation) \(hint)
            """, at: callSite)
    }

    private static let missingSleeper = """
        To fix this, check that what should sleep has been started and uses this clock \
        (`context.clock` in an effect), and that the clock was not advanced before it slept.
        """

    /// A sentence on the time and the sleepers.
    var situation: String {
        let (now, deadlines) = state.withValue { ($0.now, $0.sleepers.map(\.deadline).sorted()) }
        if deadlines.isEmpty { return "It stands at \(now.elapsed); no task sleeps on it." }
        let shown = deadlines.prefix(5).map { "\($0.elapsed)" }.joined(separator: ", ")
        let rest = deadlines.count > 5 ? " and \(deadlines.count - 5) more" : ""
        let verb = deadlines.count == 1 ? "task sleeps" : "tasks sleep"
        return """
            It stands at \(now.elapsed); \(deadlines.count) \(verb) on it, until \(shown)\(rest).
            """
    }
}
