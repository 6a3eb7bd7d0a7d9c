// SPDX-License-Identifier: MIT

extension Engine {
    /// Returns when a commit has been told.
    func waitUntilTold(of commit: Version) async {
        await withCheckedContinuation { continuation in
            lockForReading()
            let isTold =
                outbox.hasToldAll
                || !outbox.isHolding && outbox.oldestUntold ?? .max > commit
            if !isTold {
                deliveryWaiters.add(
                    continuation, for: outbox.isHolding ? nil : min(commit, version))
            }
            lock.release()
            if isTold { continuation.resume() }
        }
    }

    /// Resumes the tasks whose commits have been told; leaves the lock meanwhile.
    @inline(__always)
    func resumeWaiters(_ thread: UInt) {
        if !deliveryWaiters.isEmpty { resumeToldWaiters(thread) }
    }

    @inline(never)
    private func resumeToldWaiters(_ thread: UInt) {
        let told = deliveryWaiters.take(before: outbox.oldestUntold)
        guard !told.isEmpty else { return }
        lock.release()
        for waiter in told { waiter.resume() }
        lock.acquire(as: thread)
    }

    func endCallout() {
        lock.acquire(as: CurrentThread.id)
        callouts -= 1
        releaseIdlers()
    }

    /// Resumes the tasks that wait for rest if there is rest.
    ///
    /// Releases the lock.
    func releaseIdlers() {
        var resumed: [CheckedContinuation<Void, Never>] = []
        if isAtRest { swap(&resumed, &idlers) }
        lock.release()
        for idler in resumed { idler.resume() }
    }
}
