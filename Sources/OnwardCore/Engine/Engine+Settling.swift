// SPDX-License-Identifier: MIT

// What ends a delivery, and what ends the joining of several.

extension Engine {
    /// Marks groups as delivered; they give away what those left who are gone.
    func settle(
        _ groups: [SubscriberGroup], _ deferredWork: inout DeferredWork?, _ locked: borrowing Locked
    ) {
        groups.forEachGroup { group in
            group.isTaken = false
            if group.hasLeftovers {
                DeferredWork.add(releasing: group.takeLeftovers(locked), to: &deferredWork)
            }
        }
        groups.forEachGroup { group in
            guard let succession = group.succession, succession.isEven(locked) else { return }
            let rest = locked.state.index.merge(succession, locked)
            DeferredWork.add(releasing: rest, to: &deferredWork)
        }
        locked.state.deliveryQueue.settle()
        takeWaiters(&deferredWork, locked)
    }

    /// Takes out the tasks whose commits have been notified of.
    @inline(__always)
    func takeWaiters(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) {
        if !locked.state.deliveryWaiters.isEmpty { takeNotifiedWaiters(&deferredWork, locked) }
    }

    @inline(never)
    private func takeNotifiedWaiters(
        _ deferredWork: inout DeferredWork?, _ locked: borrowing Locked
    ) {
        let oldest = locked.state.oldestUnnotified
        DeferredWork.add(locked.state.deliveryWaiters.take(before: oldest), to: &deferredWork)
    }

    /// Ends the work of this thread as the deliverer; takes out the tasks that wait for rest if there is rest.
    func endDelivering(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) {
        locked.state.callbacksInProgress -= 1
        if let idlers = takeIdlers(locked) { DeferredWork.add(idlers, to: &deferredWork) }
    }

    /// What is left to do outside the lock after a delivery; usually nothing, so that none is made.
    final class DeferredWork {
        /// The tasks that waited for that, or for rest.
        private var waiters: [CheckedContinuation<Void, Never>] = []
        /// What groups without members have given away, which may use the store when it goes.
        private var releases: [Any?] = []
        /// Whether another thread is to go on.
        private var handsOver = false

        static func add(
            _ waiters: [CheckedContinuation<Void, Never>], to deferredWork: inout DeferredWork?
        ) {
            make(&deferredWork).waiters += waiters
        }

        static func add(releasing releases: [Any?], to deferredWork: inout DeferredWork?) {
            make(&deferredWork).releases += releases
        }

        static func handOver(_ deferredWork: inout DeferredWork?) {
            make(&deferredWork).handsOver = true
        }

        private static func make(_ deferredWork: inout DeferredWork?) -> DeferredWork {
            let made = deferredWork ?? DeferredWork()
            deferredWork = made
            return made
        }

        /// Resumes the tasks, and releases the rest.
        @inline(never)
        func finish(_ engine: Engine) {
            for waiter in waiters { waiter.resume() }
            releases = []
            if handsOver { TaskPermit.withNone { _ = Task.detached { engine.resumeDelivering() } } }
        }
    }

    // MARK: Commits that are delivered as one

    /// Opens a batch: what is committed from here on is notified of as one when it is closed.
    func openBatch() {
        withLockUnlessReducing { $0.state.deliveryQueue.openBatch() }
    }

    func closeBatch(on here: (any Actor)?) {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return }
        var deferredWork: DeferredWork?
        let first = withLock(as: thread) { locked in
            if locked.state.deliveryQueue.closeBatch() { endHolding(&deferredWork, locked) }
            return claim(upTo: locked.state.version, thread, locked)
        }
        deferredWork?.finish(self)
        deliver(first, on: here, thread)
    }

    /// Turns what was held into one delivery.
    func endHolding(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) {
        let parts = locked.state.attachments.joined(in: self, locked)
        var rest: [DispatchChain] = []
        let joined = locked.state.deliveryQueue.endHolding(releasing: &rest)
        if !rest.isEmpty { DeferredWork.add(releasing: rest, to: &deferredWork) }
        let version = locked.state.version
        locked.state.deliveryWaiters.sealed(as: version)
        if var delivery = joined {
            delivery.parts = parts
            capture(delivery.groups, locked)
            for group in delivery.groups { group.held = 0 }
            locked.state.deliveryQueue.append(delivery)
        }
        takeWaiters(&deferredWork, locked)
    }
}
