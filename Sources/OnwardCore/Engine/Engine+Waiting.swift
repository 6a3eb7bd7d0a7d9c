// SPDX-License-Identifier: MIT

extension Engine {
    /// Returns when nothing is being delivered and nothing waits to be.
    package func rest() async {
        await withCheckedContinuation { continuation in
            let isIdle = reading { locked in
                if locked.state.isAtRest { return true }
                locked.state.idlers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Returns when a commit has been notified.
    package func waitUntilNotified(of commit: CommitVersion) async {
        await withCheckedContinuation { continuation in
            let isNotified = reading { locked in
                let awaited = min(commit, locked.state.version)
                if awaited <= locked.state.notifiedUpTo { return true }
                locked.state.deliveryWaiters.add(continuation, for: awaited)
                return false
            }
            if isNotified { continuation.resume() }
        }
    }

    /// Takes out the tasks that wait for rest if there is rest; nil when there are none.
    func takeIdlers(_ locked: borrowing Locked) -> [CheckedContinuation<Void, Never>]? {
        guard !locked.state.idlers.isEmpty, locked.state.isAtRest else { return nil }
        var idlers: [CheckedContinuation<Void, Never>] = []
        swap(&idlers, &locked.state.idlers)
        return idlers
    }
}

/// The tasks that wait until a commit has been notified, each with its commit: a pure machine.
struct DeliveryWaiters: ~Copyable {
    typealias Waiter = CheckedContinuation<Void, Never>

    private var waiters: [(version: CommitVersion, waiter: Waiter)] = []

    var isEmpty: Bool { waiters.isEmpty }

    /// Adds a task that waits for a version.
    mutating func add(_ waiter: Waiter, for version: CommitVersion) {
        waiters.append((version, waiter))
    }

    /// Takes the tasks whose commits have been notified, up to a version.
    mutating func take(upTo notified: CommitVersion) -> [Waiter] {
        let over = waiters.filter { $0.version <= notified }
        waiters.removeAll { $0.version <= notified }
        return over.map(\.waiter)
    }
}
