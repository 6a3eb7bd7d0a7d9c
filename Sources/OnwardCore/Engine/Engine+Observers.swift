// SPDX-License-Identifier: MIT

// How observers read the commit log: outside the lock, each in the order of the commits, on one thread at a time.

extension Engine {
    /// Registers an observer, which reads what is committed from here on.
    func attach<O: CommitObserver>(_ observer: O) -> Subscription {
        let registration = ObserverRegistration(observer, needs: observer.needs)
        let isRegistered: Void? = withLockUnlessReducing(as: .attach) { register(registration, $0) }
        return isRegistered == nil ? .refused(registration) : Subscription(registration)
    }

    /// Registers an observer; also returns the state and the version after which it reads.
    func attachWithState<O: CommitObserver>(
        _ observer: O
    ) -> (Subscription, ValueCopy, CommitVersion) {
        let registration = ObserverRegistration(observer, needs: observer.needs)
        let (copy, version) = reading { locked in
            register(registration, locked)
            return (locked.copyState(), locked.state.version)
        }
        return (Subscription(registration), copy, version)
    }

    private func register(_ registration: ObserverRegistration, _ locked: borrowing Locked) {
        registration.join(order: locked.state.index.nextOrder())
        registration.register(in: self, locked)
    }

    /// Has the observers read what this thread has committed, except those that another thread is calling: that
    /// one goes on with it.
    ///
    /// It also reads what is committed meanwhile, but not for ever; then it hands over.
    func notifyObservers(from first: consuming CommitLog.Step, _ thread: UInt) {
        let end = first.commit.entry.version + Self.turn
        var next: CommitLog.Step? = consume first
        while let step = next.take() {
            notify(step, thread)
            next = finish(step, thread) { $0.claim(thread, upTo: end) }
        }
    }

    /// How many commits a thread reads for others before it hands over.
    private static let turn: CommitVersion = 1_000

    /// Takes the next commit for an observer that no thread is calling.
    func beginObserving(
        _ thread: UInt, upTo end: CommitVersion, _ locked: borrowing Locked
    ) -> CommitLog.Step? {
        let step = locked.state.commitLog.claim(thread, upTo: end)
        // What observers dispatch must look for the frame.
        if step != nil { locked.state.callbacksInProgress += 1 }
        return step
    }

    private func notify(_ step: borrowing CommitLog.Step, _ thread: UInt) {
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: step.commit.entry.version, generation: step.commit.generation,
                chain: step.commit.chain
            ) { step.registration.observe(step.commit, thread) }
        }
    }

    /// Ends a step and begins the next; where there is none, ends this thread's turn.
    private func finish(
        _ step: borrowing CommitLog.Step, _ thread: UInt,
        _ next: (inout CommitLog) -> CommitLog.Step?
    ) -> CommitLog.Step? {
        // Released outside the lock: what an action or a state refers to may use the store when it goes.
        var read: ErasedCommit?
        var waiters: [CheckedContinuation<Void, Never>]?
        var mustHandOver = false
        let following = withLock(as: thread) { locked -> CommitLog.Step? in
            read = locked.state.commitLog.finish(step.registration)
            if let following = next(&locked.state.commitLog) { return following }
            mustHandOver = locked.state.commitLog.mustHandOver()
            locked.state.callbacksInProgress -= 1
            waiters = takeIdlers(locked)
            if !locked.state.deliveryWaiters.isEmpty {
                let notified = locked.state.notifiedUpTo
                waiters = (waiters ?? []) + locked.state.deliveryWaiters.take(upTo: notified)
            }
            return nil
        }
        withExtendedLifetime(read) {}
        for waiter in waiters ?? [] { waiter.resume() }
        if mustHandOver { TaskPermit.withNone { _ = Task.detached { self.takeOverObservers() } } }
        return following
    }

    /// Goes on with what was left by a thread that had read long enough.
    private func takeOverObservers() {
        let thread = CurrentThread.id
        let step = withLock(as: thread) { locked -> CommitLog.Step? in
            locked.state.commitLog.takeOver()
            return beginObserving(thread, upTo: .max, locked)
        }
        if let step { notifyObservers(from: step, thread) }
    }

    /// Has one observer read everything that is committed so far, whichever thread does it.
    ///
    /// - Returns: false where this thread is calling it, further out, or the thread that does waits for this one:
    ///   then the rest is read after that call.
    @discardableResult
    func notify(_ registration: ObserverRegistration) -> Bool {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return false }
        var pause = Pause()
        var end: CommitVersion?
        while true {
            let claim = withLock(as: thread) { locked -> CommitLog.Claim in
                let last = end ?? locked.state.version
                end = last
                let claim = locked.state.commitLog.claim(for: registration, thread, upTo: last)
                if claim.isStep { locked.state.callbacksInProgress += 1 }
                return claim
            }
            switch consume claim {
            case .nothing: return true
            case .further: return false
            case .endless:
                options.report(.observersWaiting(registration.name))
                return false
            case .elsewhere: pause.wait()
            case .read(let step):
                notify(step, thread)
                _ = finish(step, thread) { _ in nil }
            }
        }
    }

    /// Makes room where too many commits wait for observers, before this thread adds another.
    ///
    /// A thread that an observer is called on goes beyond the limit: it can't wait for itself.
    func makeRoomInLog(_ thread: UInt) {
        var pause = Pause()
        while true {
            var step: CommitLog.Step?
            let isDone = withLock(as: thread) { locked in
                guard locked.state.commitLog.isFull, !locked.state.commitLog.isCalling(thread)
                else { return true }
                step = beginObserving(thread, upTo: .max, locked)
                return false
            }
            if isDone { return }
            guard let step else {
                pause.wait()
                continue
            }
            notify(step, thread)
            _ = finish(step, thread) { _ in nil }
        }
    }
}
