// SPDX-License-Identifier: MIT

extension Engine {
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

    package func endCallout() {
        let idlers = withLock { locked in
            locked.state.callbacksInProgress -= 1
            return takeIdlers(locked)
        }
        for idler in idlers ?? [] { idler.resume() }
    }

    /// Takes out the tasks that wait for rest if there is rest; nil when there are none.
    func takeIdlers(_ locked: borrowing Locked) -> [CheckedContinuation<Void, Never>]? {
        guard !locked.state.idlers.isEmpty, locked.state.isAtRest else { return nil }
        var idlers: [CheckedContinuation<Void, Never>] = []
        swap(&idlers, &locked.state.idlers)
        return idlers
    }
}
