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
    func waitUntilNotified(of commit: Version) async {
        await withCheckedContinuation { continuation in
            let isNotified = reading { locked in
                let isHolding = locked.state.deliveryQueue.isHolding
                if locked.state.hasNotifiedAll { return true }
                if !isHolding, locked.state.oldestUnnotified ?? .max > commit {
                    return true
                }
                let awaited = isHolding ? nil : min(commit, locked.state.version)
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
///
/// A commit that is held, to be notified with others as one, has no version to wait for until it is known which
/// others these are.
struct DeliveryWaiters: ~Copyable {
    typealias Waiter = CheckedContinuation<Void, Never>

    private var waiters: [(version: Version?, waiter: Waiter)] = []

    var isEmpty: Bool { waiters.isEmpty }

    /// Adds a task that waits for a version; nil when its commit is held.
    mutating func add(_ waiter: Waiter, for version: Version?) {
        waiters.append((version, waiter))
    }

    /// Notes the version as which the held commits will be notified.
    mutating func sealed(as version: Version) {
        for index in waiters.indices where waiters[index].version == nil {
            waiters[index].version = version
        }
    }

    /// Takes the tasks whose commits have been notified; `oldestUnnotified` is nil when all that are not held have
    /// been.
    mutating func take(before oldestUnnotified: Version?) -> [Waiter] {
        func isNotified(_ version: Version?) -> Bool {
            version.map { $0 < oldestUnnotified ?? .max } ?? false
        }
        let notified = waiters.filter { isNotified($0.version) }
        waiters.removeAll { isNotified($0.version) }
        return notified.map(\.waiter)
    }
}
