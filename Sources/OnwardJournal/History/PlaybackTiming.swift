// SPDX-License-Identifier: MIT

internal import Onward

/// How long each moment is shown while a history plays.
public enum PlaybackTiming: Sendable, Hashable {
    /// Each for the same time.
    case steady(Duration)
    /// As long as it lasted when recorded, divided by the speed, at most a minute; a speed that is
    /// below a thousandth, or not a number, counts as a thousandth.
    case recorded(speed: Double)

    /// The time until the next moment; nil at the end.
    func wait<State>(in log: HistoryLog<State>) -> Duration? {
        guard !log.isAtEnd else { return nil }
        switch self {
        case .steady(let duration): return duration
        case .recorded(let speed):
            let nanoseconds = log.staged.nanoseconds(before: log.cursor) ?? 0
            let wait = Double(max(nanoseconds, 0)) / (speed > 0.001 ? speed : 0.001)
            return .nanoseconds(Int64(min(wait, 60e9)))
        }
    }
}
