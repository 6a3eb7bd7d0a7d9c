// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The time and the memory that the answer to one question may take.
///
/// The code that answers asks ``isOver`` now and then and returns early when it is; what it returns
/// is then discarded in favour of ``problem``.
package final class QuestionLimits: Sendable {
    /// The time for a question that is answered at once, and for a job.
    package static let (questionTime, jobTime) = (Duration.seconds(3), Duration.seconds(30))
    /// The maximum number of values in one encoded part of a state.
    package static let mostValues = 1_000_000

    private struct State {
        var end: Duration?
        var problem: InspectorError?
    }

    private let time: Duration
    private let mostValues: Int
    private let now: @Sendable () -> Duration
    private let isWanted: @Sendable () -> Bool
    private let state = Guarded(State())

    /// Creates limits whose time begins with ``begin()``.
    ///
    /// - Parameters:
    ///   - time: The time for the answer.
    ///   - mostValues: The maximum number of values in one encoded part of a state.
    ///   - now: The time that has passed on some clock.
    ///   - isWanted: Whether someone still waits for the answer.
    package init(
        _ time: Duration = QuestionLimits.questionTime,
        values mostValues: Int = QuestionLimits.mostValues,
        now: @escaping @Sendable () -> Duration = QuestionLimits.elapsed,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.time = time
        self.mostValues = mostValues
        self.now = now
        self.isWanted = isWanted
    }

    /// Time that passes on the system's clock.
    package static let elapsed: @Sendable () -> Duration = {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }()

    /// Starts the time, unless it has begun.
    package func begin() {
        let end = now() + time
        state.withValue { $0.end = $0.end ?? end }
    }

    /// The sender of the question has left.
    package func cancel() { end(with: Self.cancelled) }

    /// Why there is no answer; nil if there may be one.
    package var problem: InspectorError? { state.withValue { $0.problem } }

    /// Whether the rest of the answer is pointless; a few dozen nanoseconds.
    package var isOver: Bool {
        let (end, isOver) = state.withValue { ($0.end, $0.problem != nil) }
        if isOver { return true }
        if !isWanted() {
            cancel()
            return true
        }
        guard let end, now() >= end else { return false }
        self.end(with: tooLong)
        return true
    }

    /// Whether the time is over, while someone still waits.
    package var isTimeOver: Bool { problem == tooLong }

    /// A part that was answered within the time counts, though the rest took too long.
    package func acceptPart() {
        state.withValue { state in
            if state.problem != Self.cancelled { state.problem = nil }
        }
    }

    /// A scope for encoding a part of a state within these limits.
    func scope(_ path: DataPath, depth: Int = .max, window: Range<Int> = 0..<Int.max) -> DataScope {
        let meter = DataMeter { [self] count in
            guard count > mostValues else { return !isOver }
            end(with: tooLarge)
            return false
        }
        return DataScope(path, depth: depth, window: window, meter: meter)
    }

    private func end(with problem: InspectorError) {
        state.withValue { $0.problem = $0.problem ?? problem }
    }

    private static let cancelled = InspectorError(
        .refused, "Nobody waits for this answer any more.")

    private var tooLong: InspectorError {
        InspectorError(
            .refused,
            """
            This takes longer than the \(time.components.seconds) seconds that an answer may take, so that the app \
            isn't held up. Ask for a part of the state, or for fewer entries.
            """)
    }

    private var tooLarge: InspectorError {
        InspectorError(
            .refused,
            """
            This part of the state has more than \(mostValues) values, too many for one answer. Choose a smaller \
            part of it.
            """)
    }
}
