// SPDX-License-Identifier: MIT

extension Engine {
    /// Refuses actions from now on; true for the first call.
    package func close() -> Bool {
        reading { locked in
            defer { locked.state.isClosed = true }
            return !locked.state.isClosed
        }
    }

    /// Lets go of everyone: no call begins from here on, and tasks that wait are notified.
    package func end() {
        // What is taken out may use the store when it goes, which it does after the lock.
        let (listeners, endings, attachments, gates) = withLockAnywhere { locked in
            locked.state.isClosed = true
            let listeners: [Listener] =
                locked.state.index.subscribers(locked) + locked.state.commitLog.registrations
            let endings = locked.state.endings ?? [:]
            locked.state.endings = nil
            return (
                listeners, endings, locked.state.attachments.all,
                locked.state.gates.removeAll()
            )
        }
        withExtendedLifetime(gates) {}
        for listener in listeners { listener.cancel() }
        for attachment in attachments { attachment.end(in: self) }
        for ending in endings.values.sorted(by: { $0.number < $1.number }) { ending.body() }
    }

    /// Has `body` called when the store ends, after those of earlier calls; false when it has ended already.
    package func atEnd(of owner: AnyObject, _ body: @escaping @Sendable () -> Void) -> Bool {
        reading { locked in
            locked.state.endingCount += 1
            locked.state.endings?[ObjectIdentifier(owner)] = Ending(
                number: locked.state.endingCount, body: body)
            return locked.state.endings != nil
        }
    }

    /// Undoes `atEnd`; allowed inside a reducer too, which may cancel a task that waits.
    package func forgetEnd(of owner: AnyObject) {
        withLockAnywhere { $0.state.endings?[ObjectIdentifier(owner)] = nil }
    }
}

/// What is called when a store ends.
struct Ending: Sendable {
    /// When it was asked for: they are called in that order, not in that of their owners' addresses, which differs from
    /// run to run.
    let number: UInt64
    let body: @Sendable () -> Void
}
