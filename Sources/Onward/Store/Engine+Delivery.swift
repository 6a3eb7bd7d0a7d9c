// SPDX-License-Identifier: MIT

extension Engine {
    /// Captures what a delivery needs, and makes the deliveries that are due, unless someone else
    /// does.
    ///
    /// The caller holds the lock, which is released here.
    @inline(never)
    func tell(_ delivery: consuming Delivery, on here: (any Actor)?, _ thread: UInt) {
        let version = delivery.version
        if outbox.isHolding {
            outbox.hold(delivery)
        } else if delivery.commit != nil || delivery.cue != nil || !delivery.groups.isEmpty {
            capture(delivery.groups)
            outbox.append(delivery)
        }
        deliver(upTo: version, on: here, thread)
    }

    /// Makes the deliveries that are due, unless someone else does.
    ///
    /// Releases the lock.
    func deliver(upTo version: Version, on here: (any Actor)?, _ thread: UInt) {
        guard outbox.claim(thread, upTo: version) else {
            lock.release()
            return
        }
        callouts += 1
        EffectJob.outside { drain(on: here, thread) }
    }

    /// Goes on with what another thread handed over.
    private func resumeDelivering() {
        let thread = CurrentThread.id
        lock.acquire(as: thread)
        outbox.resume(thread)
        drain(on: nil, thread)
    }

    /// Makes deliveries one after the other.
    ///
    /// Releases the lock.
    private func drain(on here: (any Actor)?, _ thread: UInt) {
        // Kept until the lock is free: what groups let go of may use the store when it goes.
        var rest: [Any?] = []
        while true {
            switch outbox.next() {
            case .deliver(let delivery):
                for group in delivery.groups {
                    group.isTaken = true
                    group.take()
                }
                let groups = delivery.groups
                let observers = delivery.commit == nil ? [] : observers
                lock.release()
                rest = []
                deliver(delivery, to: observers, on: here)
                lock.acquire(as: thread)
                rest = giveBack(groups)
            case .seal:
                seal()
            case .handOver:
                lock.release()
                Task.detached { self.resumeDelivering() }
                return
            case .rest:
                callouts -= 1
                releaseIdlers()
                return withExtendedLifetime(rest) {}
            }
        }
    }

    /// Marks groups as delivered; returns what those without members give away.
    ///
    /// Under the lock.
    private func giveBack(_ groups: [SelectionGroup]) -> [Any?] {
        var rest: [Any?] = []
        for group in groups {
            group.isTaken = false
            if group.isEmpty { rest += group.surrender() }
        }
        return rest
    }

    /// Tells observers, then subscribers, of one commit.
    ///
    /// Outside the lock.
    private func deliver(
        _ delivery: consuming Delivery, to observers: [ObserverSeat], on here: (any Actor)?
    ) {
        ThreadFrame.push(
            engine: id, version: delivery.version, generation: delivery.generation,
            cause: delivery.cause
        ) {
            if let commit = delivery.commit {
                for observer in observers where delivery.concerns(observer) {
                    observer.observe(commit)
                }
            }
            if let cue = delivery.cue { begin(cue, of: delivery.version) }
            defer { if delivery.cue?.change == .resume { effects.resume() } }
            var isNews = false
            for group in delivery.groups where group.advance(lock) { isNews = true }
            guard isNews else { return }
            var audiences: [Audience] = []
            lock.withLock { for group in delivery.groups { group.addAudiences(to: &audiences) } }
            var mailboxes: [Mailbox] = []
            audiences.forEachMember { subscriber, change in
                guard delivery.concerns(subscriber) else { return }
                guard let mailbox = subscriber.mailbox else {
                    let mayCall = subscriber.begin {
                        subscriber.letter(with: change).map { framed($0, as: delivery) }
                    }
                    guard mayCall else { return }
                    subscriber.call(change, lock)
                    return subscriber.end()
                }
                let isCrowded = mailbox.isCrowded(options.limits.waitingCommits)
                let letter = subscriber.letter(with: change, isCrowded: isCrowded)
                guard let letter else { return }
                post(letter, to: subscriber, mailbox, of: delivery)
                if mailboxes.last !== mailbox { mailboxes.append(mailbox) }
            }
            audiences = []
            for group in delivery.groups { group.settle() }
            for mailbox in mailboxes { mailbox.flush(self, from: here) }
        }
    }

    private func post(
        _ call: @escaping @Sendable () -> Void, to subscriber: Subscriber, _ mailbox: Mailbox,
        of delivery: borrowing Delivery
    ) {
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: delivery.version, generation: delivery.generation,
            cause: delivery.cause, call: call)
        post(letter, to: mailbox)
    }

    func post(_ letter: Mailbox.Letter, to mailbox: Mailbox) {
        lock.withLock {
            // Busy before anybody can empty it.
            if mailbox.post(letter) { callouts += 1 }
        }
    }

    /// A call that stays part of a delivery though it is made later.
    private func framed(
        _ call: @escaping @Sendable () -> Void, as delivery: borrowing Delivery
    ) -> @Sendable () -> Void {
        let (version, generation, cause) = (delivery.version, delivery.generation, delivery.cause)
        return { [self] in
            ThreadFrame.push(
                engine: id, version: version, generation: generation, cause: cause, call)
        }
    }

    /// Makes a call to a subscriber that is due apart from any delivery.
    func call(_ subscriber: Subscriber, _ call: @escaping @Sendable () -> Void) {
        let latest = lock.withLock { version }
        guard let mailbox = subscriber.mailbox else {
            lock.withLock { callouts += 1 }
            defer { endCallout() }
            guard subscriber.begin(orLeave: { call }) else { return }
            ThreadFrame.push(engine: id, version: latest, cause: nil, call)
            return subscriber.end()
        }
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: latest, generation: 0, cause: nil, call: call)
        post(letter, to: mailbox)
        mailbox.flush(self, from: nil)
    }

    private func capture(_ groups: [SelectionGroup]) {
        let copy = groups.contains(where: \.needsRoot) ? rootCopy(isDelivery: true) : nil
        for group in groups { group.capture(root, copy) }
    }

    /// Turns what was held into one delivery.
    ///
    /// Under the lock.
    private func seal() {
        guard let delivery = outbox.unseal() else { return }
        capture(delivery.groups)
        outbox.append(delivery)
    }

    // MARK: Batches

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
        if outbox.closeBatch() { seal() }
        deliver(upTo: version, on: here, thread)
    }

    // MARK: Rest

    func endCallout() {
        lock.acquire(as: CurrentThread.id)
        callouts -= 1
        releaseIdlers()
    }

    /// Resumes who waits for rest if there is rest.
    ///
    /// Releases the lock.
    private func releaseIdlers() {
        var resumed: [CheckedContinuation<Void, Never>] = []
        if callouts == 0, outbox.isIdle { swap(&resumed, &idlers) }
        lock.release()
        for idler in resumed { idler.resume() }
    }
}
