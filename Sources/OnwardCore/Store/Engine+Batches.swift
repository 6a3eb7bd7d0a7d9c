// SPDX-License-Identifier: MIT

extension Engine {
    func openBatch() {
        let thread = CurrentThread.id
        guard enter(thread) else { return }
        outbox.openBatch()
        lock.release()
    }

    func closeBatch(on here: (any Actor)?) {
        let thread = CurrentThread.id
        guard !lock.isOwned(by: thread) else { return }
        lock.acquire(as: thread)
        if outbox.closeBatch() {
            seal()
            resumeWaiters(thread)
        }
        deliver(upTo: version, on: here, thread)
    }

    /// Turns what was held into one delivery.
    ///
    /// Under the lock.
    func seal() {
        let parts = attachments.joined()
        let sealed = outbox.unseal()
        deliveryWaiters.sealed(as: version)
        guard var delivery = sealed else { return }
        delivery.parts = parts
        capture(delivery.groups)
        for group in delivery.groups { group.held = 0 }
        outbox.append(delivery)
    }
}
