// SPDX-License-Identifier: MIT

extension Engine {
    /// Captures what a delivery needs, and makes the deliveries that are due, unless someone else
    /// does.
    ///
    /// The caller holds the lock, which is released here.
    @inline(never)
    func tell(_ delivery: consuming Delivery, on here: (any Actor)?, _ thread: UInt) {
        let version = delivery.version
        let rest = enqueue(delivery)
        deliver(upTo: version, on: here, thread)
        withExtendedLifetime(rest) {}
    }

    /// Captures what a delivery needs, and puts it behind those before it; returns what is to be let go
    /// of outside the lock.
    @inline(__always)
    func enqueue(_ delivery: consuming Delivery) -> Cause? {
        if outbox.isHolding { return outbox.hold(delivery) }
        if delivery.commit != nil || delivery.cue != nil || !delivery.groups.isEmpty {
            capture(delivery.groups)
            outbox.append(delivery)
        }
        return nil
    }

    /// Makes the deliveries that are due, unless someone else does.
    func deliverWhatIsDue(on here: (any Actor)?) {
        let thread = CurrentThread.id
        lock.acquire(as: thread)
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

    /// Goes on with what another thread handed over, unless one that committed has taken it up.
    func resumeDelivering() {
        let thread = CurrentThread.id
        lock.acquire(as: thread)
        if outbox.resume(thread) { return drain(on: nil, thread) }
        callouts -= 1
        releaseIdlers()
    }

    /// Makes deliveries one after the other.
    ///
    /// Releases the lock.
    private func drain(on here: (any Actor)?, _ thread: UInt) {
        // Kept until the lock is free: what groups let go of may use the store when it goes, and so may
        // what goes with the groups.
        var rest: [Any?] = []
        var groups: [SelectionGroup] = []
        defer { withExtendedLifetime((rest, groups)) {} }
        while true {
            switch outbox.next() {
            case .deliver(let delivery):
                for group in delivery.groups {
                    group.isTaken = true
                    group.take()
                }
                let observers = delivery.commit == nil ? [] : observers.seats
                let caughtUp = behind.isEmpty ? [] : takeCaughtUp(with: delivery.groups)
                lock.release()
                rest = []
                groups = delivery.groups
                deliver(delivery, to: observers, caughtUp, on: here)
                lock.acquire(as: thread)
                rest = giveBack(groups)
                outbox.told()
                resumeWaiters(thread)
            case .call:
                var call = outbox.takeCall()
                lock.release()
                rest = []
                call?()
                // What it refers to goes before the lock is taken.
                call = nil
                lock.acquire(as: thread)
            case .seal:
                seal()
                resumeWaiters(thread)
            case .handOver:
                lock.release()
                Task.detached { self.resumeDelivering() }
                return
            case .rest:
                callouts -= 1
                return releaseIdlers()
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
        _ delivery: consuming Delivery, to observers: [ObserverSeat], _ caughtUp: [Subscriber],
        on here: (any Actor)?
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
            defer { for (value, last) in delivery.uncertain { tellUncertain(value, of: last) } }
            var isNews = false
            for group in delivery.groups where group.advance(lock) { isNews = true }
            guard isNews || !caughtUp.isEmpty else { return }
            var audiences: [Audience] = []
            lock.withLock { for group in delivery.groups { group.addAudiences(to: &audiences) } }
            if !caughtUp.isEmpty { callWithNewest(caughtUp, except: audiences) }
            var mailboxes: [Mailbox] = []
            audiences.forEachMember { subscriber, change in
                guard delivery.concerns(subscriber) else { return }
                guard let mailbox = subscriber.mailbox else {
                    return call(subscriber, with: change, of: delivery)
                }
                let letter = subscriber.letter(
                    with: change, to: mailbox, limit: options.limits.waitingCommits)
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
        // What subscribers on all actors answer is counted as one chain.
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: delivery.version, generation: delivery.generation,
            cause: ThreadFrame.chain(of: id), call: call)
        post(letter, to: mailbox)
    }

    func post(_ letter: Mailbox.Letter, to mailbox: Mailbox) {
        lock.withLock {
            // Busy before anybody can empty it.
            if mailbox.post(letter) { callouts += 1 }
        }
    }

    /// Calls a subscriber without isolation, or leaves the call to the end of its first one.
    @inline(__always)
    private func call(
        _ subscriber: Subscriber, with change: Change, of delivery: borrowing Delivery
    ) {
        let turn = subscriber.begin { backlog in
            let mark = DeliveryMark(
                version: delivery.version, generation: delivery.generation, cause: delivery.cause)
            return subscriber.leave(change, as: mark, in: &backlog, options.limits)
        }
        switch turn {
        case .none: return
        case .call: subscriber.call(change, self)
        case .backlog: break
        }
        subscriber.end()
    }

    // MARK: Calls apart from a commit

    /// Whether newer values wait behind the one that a subscriber was just told of; then it will be
    /// called when its group has caught up.
    func mustCatchUp(_ subscriber: Subscriber) -> Bool {
        lock.withLock {
            guard let group = subscriber.group, group.isBehind else { return false }
            behind[ObjectIdentifier(group), default: [:]][subscriber.order] = subscriber
            return true
        }
    }

    /// Those who waited for groups that have caught up now, in the order in which they subscribed.
    ///
    /// Under the lock. A group that is behind has a delivery before it, so this will be asked.
    private func takeCaughtUp(with groups: [SelectionGroup]) -> [Subscriber] {
        var caughtUp: [Subscriber] = []
        for group in groups where !group.isBehind {
            guard let waiting = behind.removeValue(forKey: ObjectIdentifier(group)) else {
                continue
            }
            caughtUp += waiting.values
        }
        return caughtUp.sorted { $0.order < $1.order }
    }

    /// Tells those who waited what was left for them by earlier commits, if the present one has nothing
    /// newer.
    private func callWithNewest(_ waiting: [Subscriber], except audiences: [Audience]) {
        var told: Set<UInt64> = []
        for audience in audiences { audience.forEach { member, _ in told.insert(member.order) } }
        for subscriber in waiting where !told.contains(subscriber.order) { callWithDue(subscriber) }
    }

    /// Makes the call that is due apart from a new change; by the deliverer.
    private func callWithDue(_ subscriber: Subscriber) {
        guard subscriber.beginDue() else { return }
        subscriber.callWithDue(self)
        subscriber.end()
    }

    /// Has what waits for a subscriber told by the deliverer, or by another thread if nobody does.
    func callLater(_ subscriber: Subscriber) {
        if lock.withLock({ addCall(to: subscriber) }) {
            Task.detached { self.resumeDelivering() }
        }
    }

    /// Has a subscriber called after a pause: on its actor, by the deliverer, or right here.
    func pauseEnded(of subscriber: Subscriber) {
        guard let mailbox = subscriber.mailbox else {
            if lock.withLock({ addCall(to: subscriber) }) { resumeDelivering() }
            return
        }
        let letter = Mailbox.Letter(
            subscriber: subscriber, version: lock.withLock { version }, generation: 0, cause: nil
        ) { [unowned self] in subscriber.callWithDue(self) }
        post(letter, to: mailbox)
        mailbox.flush(self, from: nil)
    }

    /// Adds the call that is due for a subscriber; true when some thread has to resume delivering.
    ///
    /// Under the lock.
    private func addCall(to subscriber: Subscriber) -> Bool {
        addCall { [unowned self] in
            let latest = lock.withLock { version }
            ThreadFrame.push(engine: id, version: latest, cause: nil) { callWithDue(subscriber) }
        }
    }

    /// Has a call made by the deliverer; true when some thread has to resume delivering.
    ///
    /// Under the lock.
    func addCall(_ call: @escaping @Sendable () -> Void) -> Bool {
        let mustResume = outbox.append(call)
        if mustResume { callouts += 1 }
        return mustResume
    }

    private func capture(_ groups: [SelectionGroup]) {
        let copy = groups.contains(where: \.needsRoot) ? rootCopy(isDelivery: true) : nil
        for group in groups { group.capture(root, copy) }
    }

    /// Turns what was held into one delivery.
    ///
    /// Under the lock.
    private func seal() {
        let uncertain = observed.takeUncertain()
        let sealed = outbox.unseal()
        deliveryWaiters.sealed(as: version)
        guard var delivery = sealed else { return }
        delivery.uncertain = uncertain
        capture(delivery.groups)
        for group in delivery.groups { group.held = 0 }
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
        if outbox.closeBatch() {
            seal()
            resumeWaiters(thread)
        }
        deliver(upTo: version, on: here, thread)
    }

    // MARK: Rest

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
    private func resumeWaiters(_ thread: UInt) {
        guard !deliveryWaiters.isEmpty else { return }
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
    private func releaseIdlers() {
        var resumed: [CheckedContinuation<Void, Never>] = []
        if callouts == 0, outbox.isIdle { swap(&resumed, &idlers) }
        lock.release()
        for idler in resumed { idler.resume() }
    }
}
