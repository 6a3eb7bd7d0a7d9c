// SPDX-License-Identifier: MIT

internal import Onward

/// The tasks that wait for an entry of a journal: a pure machine.
package struct JournalWaiters: Sendable {
    package typealias Waiter = CheckedContinuation<Void, Never>

    private var waiters: [UInt64: Waiter] = [:]
    private var cancelled: Set<UInt64> = []
    private var lastID: UInt64 = 0

    package init() {}

    /// Begins a wait; its id names it in the other calls.
    package mutating func begin() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Notes a task that waits; false when it was cancelled before.
    package mutating func wait(_ waiter: Waiter, id: UInt64) -> Bool {
        if cancelled.remove(id) != nil { return false }
        waiters[id] = waiter
        return true
    }

    /// Ends a wait early.
    ///
    /// - Returns: Who waits, to be resumed outside the lock; nil where the wait has not begun, or has ended.
    package mutating func cancel(_ id: UInt64) -> Waiter? {
        if let waiter = waiters.removeValue(forKey: id) { return waiter }
        cancelled.insert(id)
        return nil
    }

    /// Forgets a wait that has ended, and that it was cancelled after.
    package mutating func forget(_ id: UInt64) {
        cancelled.remove(id)
    }

    /// Everyone who waits, to be resumed outside the lock.
    package mutating func takeAll() -> [Waiter] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}
