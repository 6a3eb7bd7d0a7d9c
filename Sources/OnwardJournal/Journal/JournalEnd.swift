// SPDX-License-Identifier: MIT

package import Onward

/// Where a journal is known to end, and the tasks that wait for more; every journal has one.
package final class JournalEnd: Sendable {
    private let waits = Guarded(JournalWaits())

    package init() {}

    /// Whether the journal was closed.
    package var isClosed: Bool { waits.withValue { $0.isClosed } }

    /// Notes that the journal has reached a version.
    package func note(_ version: CommitVersion) {
        for waiter in waits.withValue({ $0.note(version) }) { waiter.resume() }
    }

    /// Notes that the journal is closed: nobody waits any more.
    ///
    /// - Returns: Whether it was open.
    @discardableResult
    package func close() -> Bool {
        guard let waiters = waits.withValue({ $0.close() }) else { return false }
        for waiter in waiters { waiter.resume() }
        return true
    }

    /// Returns once there is an entry after a version.
    ///
    /// - Throws: ``JournalError/Code/closed`` once the journal is closed or the task is cancelled.
    package func wait(after version: CommitVersion) async throws(JournalError) {
        let id = waits.withValue { $0.begin() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = waits.withValue { $0.wait(continuation, after: version, id: id) }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            waits.withValue { $0.cancel(id) }?.resume()
        }
        waits.withValue { $0.forget(id) }
        if Task.isCancelled { throw .cancelled }
        if isClosed { throw .closed("wait(after:)") }
    }
}

/// The tasks that wait for an entry: a pure machine.
private struct JournalWaits {
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var isClosed = false
    private var last: CommitVersion = 0
    private var waiters: [UInt64: (after: CommitVersion, waiter: Waiter)] = [:]
    private var cancelled: Set<UInt64> = []
    private var lastID: UInt64 = 0

    /// The tasks whose entry now exists, to be resumed outside the lock.
    mutating func note(_ version: CommitVersion) -> [Waiter] {
        guard version > last else { return [] }
        last = version
        if waiters.isEmpty { return [] }
        let ready = waiters.filter { $0.value.after < version }
        for id in ready.keys { waiters[id] = nil }
        return ready.values.map(\.waiter)
    }

    /// All waiting tasks, to be resumed outside the lock; nil if it was already closed.
    mutating func close() -> [Waiter]? {
        if isClosed { return nil }
        isClosed = true
        defer { waiters = [:] }
        return waiters.values.map(\.waiter)
    }

    /// Begins a wait; its id identifies it in the other calls.
    mutating func begin() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Notes a waiting task; false if it need not wait or was already cancelled.
    mutating func wait(_ waiter: Waiter, after version: CommitVersion, id: UInt64) -> Bool {
        if cancelled.remove(id) != nil || isClosed || last > version { return false }
        waiters[id] = (version, waiter)
        return true
    }

    /// Ends a wait early.
    ///
    /// - Returns: The waiting task, to be resumed outside the lock; nil if the wait has not begun
    ///   or has ended.
    mutating func cancel(_ id: UInt64) -> Waiter? {
        if let waiting = waiters.removeValue(forKey: id) { return waiting.waiter }
        cancelled.insert(id)
        return nil
    }

    /// Forgets a wait that has ended, and any later cancellation of it.
    mutating func forget(_ id: UInt64) {
        cancelled.remove(id)
    }
}
