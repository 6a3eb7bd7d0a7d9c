// SPDX-License-Identifier: MIT

internal import Onward

extension SyncLimits {
    /// Nobody has so much of anything, and there is still room to count with it.
    private static var most: Int { .max >> 8 }

    /// What each number may be: with less nothing is ever in step.
    private static let ranges:
        [(path: any WritableKeyPath<SyncLimits, Int> & Sendable, name: String, ClosedRange<Int>)] =
            [
                (\.messageBytes, "messageBytes", 4_096...most),
                (\.stateBytes, "stateBytes", 4_096...most),
                (\.entriesPerMessage, "entriesPerMessage", 1...65_536),
                (\.proposalsPerMessage, "proposalsPerMessage", 1...64),
                (\.proposalsPerSecond, "proposalsPerSecond", 1...most),
                (\.pending, "pending", 0...most),
                (\.window, "window", 1...most),
                (\.history, "history", 0...most),
                (\.runs, "runs", 1...most),
                (\.refusals, "refusals", 0...most),
                (\.sessions, "sessions", 1...most),
            ]

    /// These limits, each as far as it can be used.
    ///
    /// - Parameter report: Called with each that is too low.
    /// - Returns: The limits.
    func usable(_ report: (ProgrammerError) -> Void = { _ in }) -> SyncLimits {
        var limits = self
        for (path, name, range) in Self.ranges {
            let value = self[keyPath: path]
            if value < range.lowerBound {
                report(.unusableSyncLimit(name, "\(value)", atLeast: "\(range.lowerBound)"))
            }
            limits[keyPath: path] = min(max(value, range.lowerBound), range.upperBound)
        }
        for (path, name) in [(\SyncLimits.patience, "patience"), (\.heartbeat, "heartbeat")]
        where self[keyPath: path] < .milliseconds(1) {
            report(.unusableSyncLimit(name, "\(self[keyPath: path])", atLeast: "a millisecond"))
            limits[keyPath: path] = .milliseconds(1)
        }
        return limits
    }
}
