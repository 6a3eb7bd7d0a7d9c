// SPDX-License-Identifier: MIT

extension Engine {
    func openBatch() {
        guard let locked = acquireUnlessReducing(CurrentThread.id) else { return }
        locked.state.deliveryQueue.openBatch()
        release(locked)
    }

    func closeBatch(on here: (any Actor)?) {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return }
        var locked = acquire(as: thread)
        if locked.state.deliveryQueue.closeBatch() {
            seal(locked)
            resumeWaiters(thread, &locked)
        }
        let version = locked.state.version
        deliver(upTo: version, on: here, thread, locked)
    }

    /// Turns what was held into one delivery.
    func seal(_ locked: borrowing Locked) {
        let parts = locked.state.attachments.joined(in: self, locked)
        let sealed = locked.state.deliveryQueue.unseal()
        let version = locked.state.version
        locked.state.deliveryWaiters.sealed(as: version)
        guard var delivery = sealed else { return }
        delivery.parts = parts
        capture(delivery.groups, locked)
        for group in delivery.groups { group.held = 0 }
        locked.state.deliveryQueue.append(delivery)
    }
}
