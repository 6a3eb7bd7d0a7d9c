// SPDX-License-Identifier: MIT

/// Joins the changes of one subscriber that wait for an occasion to be notified: the shell around
/// `CoalescedChanges`, which holds its lock, and compares and calls outside it.
final class ChangeCoalescer: @unchecked Sendable {  // Everything mutable is under `lock`.
    private let lock = Lock()
    private var machine = CoalescedChanges()
    private var isSame: Change.IsSame?
    /// Whether the first change is notified by itself, before those that join after it.
    private let keepsFirst: Bool
    private var first: Change?

    init(_ isSame: Change.IsSame?, keepsFirst: Bool = false) {
        self.isSame = isSame
        self.keepsFirst = keepsFirst
    }

    /// Whether changes wait.
    var isWaiting: Bool { lock.withLock { machine.isWaiting } }

    /// Takes a change; true for the first one that waits, for which an occasion has to be
    /// arranged.
    func join(_ change: Change) -> Bool {
        // What came in between is released outside the lock.
        var skipped: Change?
        let isFirst = lock.withLock {
            guard keepsFirst else { return machine.join(change, skipping: &skipped) }
            if first == nil {
                first = change
                return true
            }
            _ = machine.join(change, skipping: &skipped)
            return false
        }
        return withExtendedLifetime(skipped) { isFirst }
    }

    /// Makes the call for what was joined, if it changed anything.
    func take(_ call: (Change) -> Void) {
        let (first, change, isSame) = lock.withLock {
            defer { self.first = nil }
            return (self.first, machine.take(), self.isSame)
        }
        if let first { call(first) }
        if let change, !change.isRepeat(by: isSame) { call(change) }
    }

    /// Forgets what waits, and the comparison.
    func end() {
        let rest = lock.withLock {
            defer {
                first = nil
                isSame = nil
            }
            return (first, machine.take(), isSame)
        }
        withExtendedLifetime(rest) {}
    }
}
