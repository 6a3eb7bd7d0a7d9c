// SPDX-License-Identifier: MIT

extension Engine {
    /// Returns when a commit has been told.
    func waitUntilTold(of commit: Version) async {
        await withCheckedContinuation { continuation in
            let isTold = reading { locked in
                let isHolding = locked.state.deliveryQueue.isHolding
                if locked.state.deliveryQueue.hasToldAll { return true }
                if !isHolding, locked.state.deliveryQueue.oldestUntold ?? .max > commit {
                    return true
                }
                let awaited = isHolding ? nil : min(commit, locked.state.version)
                locked.state.deliveryWaiters.add(continuation, for: awaited)
                return false
            }
            if isTold { continuation.resume() }
        }
    }

    /// Resumes the tasks whose commits have been told, outside the lock.
    @inline(__always)
    func resumeWaiters(_ thread: UInt, _ locked: inout Locked) {
        if !locked.state.deliveryWaiters.isEmpty { resumeToldWaiters(thread, &locked) }
    }

    @inline(never)
    private func resumeToldWaiters(_ thread: UInt, _ locked: inout Locked) {
        let oldest = locked.state.deliveryQueue.oldestUntold
        let told = locked.state.deliveryWaiters.take(before: oldest)
        guard !told.isEmpty else { return }
        unlocked(thread, &locked) {
            for waiter in told { waiter.resume() }
        }
    }

    package func endCallout() {
        let locked = acquire(as: CurrentThread.id)
        locked.state.callouts -= 1
        releaseIdlers(locked)
    }

    /// Resumes the tasks that wait for rest if there is rest.
    func releaseIdlers(_ locked: consuming Locked) {
        var resumed: [CheckedContinuation<Void, Never>] = []
        if locked.state.isAtRest { swap(&resumed, &locked.state.idlers) }
        release(locked)
        for idler in resumed { idler.resume() }
    }
}
