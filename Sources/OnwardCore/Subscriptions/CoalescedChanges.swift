// SPDX-License-Identifier: MIT

/// Changes that wait as one, so that only the newest value is notified: a pure machine.
struct CoalescedChanges {
    private var waiting: Change?

    /// Whether changes wait.
    var isWaiting: Bool { waiting != nil }

    /// Takes a change; true for the first one that waits.
    ///
    /// `skipped` gets the one that is replaced, to be released outside any lock.
    mutating func join(_ change: Change, skipping skipped: inout Change?) -> Bool {
        skipped = waiting
        waiting = skipped?.joined(with: change) ?? change
        return skipped == nil
    }

    /// Takes what waits.
    mutating func take() -> Change? {
        defer { waiting = nil }
        return waiting
    }
}
