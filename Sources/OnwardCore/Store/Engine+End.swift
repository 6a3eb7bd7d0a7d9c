// SPDX-License-Identifier: MIT

extension Engine {
    /// Whether nothing is being delivered and nothing waits to be; under the lock.
    package var isAtRest: Bool { callouts == 0 && outbox.isIdle }

    /// Returns when nothing is being delivered and nothing waits to be.
    package func rest() async {
        await withCheckedContinuation { continuation in
            lockForReading()
            let isIdle = isAtRest
            if !isIdle { idlers.append(continuation) }
            lock.release()
            if isIdle { continuation.resume() }
        }
    }

    /// Refuses actions from now on; true for the first call.
    package func close() -> Bool {
        lockForReading()
        defer { lock.release() }
        defer { isClosed = true }
        return !isClosed
    }

    /// Lets go of everyone: no call begins from here on, and tasks that wait are told.
    package func end() {
        let thread = CurrentThread.id
        let isInside = lock.isOwned(by: thread)
        if !isInside { lock.acquire(as: thread) }
        isClosed = true
        let listeners: [Listener] = index.subscribers + observers.seats
        let endings = endings
        let attachments = attachments.all
        self.endings = [:]
        // Let go of after the lock: what they refer to may use the store when it goes.
        let old = timelines.removeAll()
        if !isInside { lock.release() }
        withExtendedLifetime(old) {}
        for listener in listeners { listener.cancel() }
        objects.removeAll()
        for attachment in attachments { attachment.end(in: self) }
        for ending in endings.values { ending() }
    }

    /// Has `body` called when the store ends; false when it has ended already.
    package func atEnd(of owner: AnyObject, _ body: @escaping @Sendable () -> Void) -> Bool {
        lockForReading()
        defer { lock.release() }
        if !isClosed { endings[ObjectIdentifier(owner)] = body }
        return !isClosed
    }

    /// Undoes `atEnd`; allowed inside a reducer too, which may cancel a task that waits.
    func forgetEnd(of owner: AnyObject) {
        leaveUnderLock { endings[ObjectIdentifier(owner)] = nil }
    }
}
