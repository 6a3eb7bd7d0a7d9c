// SPDX-License-Identifier: MIT

// How a commit is told. Under the lock the values that may have changed are captured; outside they are
// compared, and the subscribers of those that did change are called. One thread does this at a time, the
// deliverer, so that calls come in the order of the commits.

extension Engine {
    /// Tells subscribers of the newest commit, unless another thread does.
    ///
    /// The short way, which nearly every commit takes: nothing waits and no thread delivers, so the commit
    /// is told from the stack. Otherwise it is put behind those before it.
    @inline(never)
    func tell(
        _ groups: [SubscriberGroup], on here: (any Actor)?, _ thread: UInt,
        _ locked: consuming Locked
    ) {
        let version = locked.state.version
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder)
        guard locked.state.subscribersBehind.isEmpty,
            locked.state.deliveryQueue.claim(thread, alone: version)
        else {
            return tell(Delivery(context, groups: groups), on: here, thread, locked)
        }
        tell(groups, of: context, on: here, thread, locked) {}
    }

    /// Tells of the newest commit from the stack, as the deliverer that the thread became for it, after
    /// something else that is to be done in turn with the deliveries.
    @inline(__always)
    func tell(
        _ groups: [SubscriberGroup], of context: DeliveryContext, on here: (any Actor)?,
        _ thread: UInt, _ locked: consuming Locked, after first: () -> Void
    ) {
        locked.state.callouts += 1
        var root = captureNow(groups, locked)
        release(locked)
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                cause: context.cause
            ) {
                first()
                tell(groups, [], of: context, in: root.take(), on: here, thread)
            }
        }
        var again = acquire(as: thread)
        var releases = DeferredReleases()
        finish(groups, thread, &releases, &again)
        if again.state.deliveryQueue.rest() {
            again.state.callouts -= 1
            if again.state.idlers.isEmpty { release(again) } else { releaseIdlers(again) }
        } else {
            drain(on: here, thread, again)
        }
        if releases.others != nil { releases.releaseAll() }
    }

    /// Tells of a commit with all that it means, unless another thread does.
    func tell(
        _ delivery: consuming Delivery, on here: (any Actor)?, _ thread: UInt,
        _ locked: consuming Locked
    ) {
        let version = delivery.context.version
        let rest = enqueue(delivery, locked)
        deliver(upTo: version, on: here, thread, locked)
        withExtendedLifetime(rest) {}
    }

    /// Captures what a delivery needs, and puts it behind those before it; returns what is to be
    /// released outside the lock.
    func enqueue(_ delivery: consuming Delivery, _ locked: borrowing Locked) -> Cause? {
        if locked.state.deliveryQueue.isHolding { return locked.state.deliveryQueue.hold(delivery) }
        if delivery.hasContent {
            capture(delivery.groups, locked)
            locked.state.deliveryQueue.append(delivery)
        }
        return nil
    }

    /// Makes the deliveries that are due, unless another thread does.
    func deliverWhatIsDue(on here: (any Actor)?) {
        let thread = CurrentThread.id
        let locked = acquire(as: thread)
        let version = locked.state.version
        deliver(upTo: version, on: here, thread, locked)
    }

    /// Makes the deliveries that are due, unless another thread does.
    func deliver(
        upTo version: Version, on here: (any Actor)?, _ thread: UInt, _ locked: consuming Locked
    ) {
        guard locked.state.deliveryQueue.claim(thread, upTo: version) else {
            return release(locked)
        }
        locked.state.callouts += 1
        drain(on: here, thread, locked)
    }

    /// Continues with what another thread handed over, unless a thread that committed has taken it up.
    func resumeDelivering() {
        let thread = CurrentThread.id
        let locked = acquire(as: thread)
        if locked.state.deliveryQueue.resume(thread) { return drain(on: nil, thread, locked) }
        locked.state.callouts -= 1
        releaseIdlers(locked)
    }

    /// Makes deliveries one after the other, until there are none that this thread should make.
    private func drain(on here: (any Actor)?, _ thread: UInt, _ locked: consuming Locked) {
        var releases = DeferredReleases()
        while true {
            switch locked.state.deliveryQueue.next() {
            case .deliver(let delivery):
                for group in delivery.groups { group.take(locked) }
                make(delivery, on: here, thread, &releases, &locked)
            case .call:
                // What it refers to goes before the lock is taken.
                var call = locked.state.deliveryQueue.takeCall()
                unlocked(thread, &locked) {
                    releases.releaseAll()
                    TaskPermit.withNone { call.take()?() }
                }
            case .seal:
                seal(locked)
                resumeWaiters(thread, &locked)
            case .handOver:
                release(locked)
                TaskPermit.withNone { _ = Task.detached { self.resumeDelivering() } }
                return releases.releaseAll()
            case .rest:
                locked.state.callouts -= 1
                releaseIdlers(locked)
                return releases.releaseAll()
            }
        }
    }

    /// What deliveries release later: kept until the lock is free, as what goes with a group may use the
    /// store when it goes.
    private struct DeferredReleases {
        var groups: [SubscriberGroup]?
        var others: [Any?]?

        mutating func add(_ rest: [Any?]) {
            if others == nil { others = rest } else { others?.append(contentsOf: rest) }
        }

        /// Releases all; not under the lock.
        ///
        /// Not inlined: when a value is assigned the optimiser releases the old one as soon as nothing reads it,
        /// which is before the lock is free.
        @inline(never)
        mutating func releaseAll() {
            groups = nil
            others = nil
        }
    }

    /// Makes one delivery, whose groups have taken their values.
    private func make(
        _ delivery: consuming Delivery, on here: (any Actor)?, _ thread: UInt,
        _ releases: inout DeferredReleases, _ locked: inout Locked
    ) {
        let groups = delivery.groups
        let observers = delivery.commit == nil ? [] : locked.state.observers.registrations
        let caughtUp =
            locked.state.subscribersBehind.isEmpty ? [] : takeCaughtUp(with: groups, locked)
        release(locked)
        releases.releaseAll()
        deliver(delivery, to: observers, caughtUp, on: here, thread)
        locked = acquire(as: thread)
        releases.groups = groups
        finish(groups, thread, &releases, &locked)
    }

    // MARK: Under the lock

    /// Has groups copy what they read, for a delivery that waits.
    func capture(_ groups: [SubscriberGroup], _ locked: borrowing Locked) {
        let root = locked.state.root
        var copy: RootCopy?
        groups.forEachGroup { group in
            if group.needsRoot, copy == nil { copy = rootCopy(isDelivery: true, locked) }
            group.capture(root, copy, isDueNow: false, locked)
        }
    }

    /// Has groups copy what they read, for this thread to deliver at once; returns the state for those
    /// that need it.
    ///
    /// These wait for nothing and copy nothing each, as there may be many.
    private func captureNow(
        _ groups: [SubscriberGroup], _ locked: borrowing Locked
    ) -> RootCopy? {
        let root = locked.state.root
        var copy: RootCopy?
        groups.forEachGroup { group in
            guard group.needsRoot else {
                return group.capture(root, nil, isDueNow: true, locked)
            }
            if copy == nil { copy = rootCopy(isDelivery: true, locked) }
            group.isTaken = true
        }
        return copy
    }

    /// Marks groups as delivered; those without members give away what they have.
    private func finish(
        _ groups: [SubscriberGroup], _ thread: UInt, _ releases: inout DeferredReleases,
        _ locked: inout Locked
    ) {
        groups.forEachGroup { group in
            group.isTaken = false
            // Once: it may stand in many deliveries that wait.
            if group.isEmpty, !group.isDrained { releases.add(group.takeContents(locked)) }
        }
        locked.state.deliveryQueue.told()
        resumeWaiters(thread, &locked)
    }

    // MARK: Outside the lock

    /// Tells observers, parts, then subscribers, of one commit.
    private func deliver(
        _ delivery: consuming Delivery, to observers: consuming [ObserverRegistration],
        _ caughtUp: consuming [Subscriber], on here: (any Actor)?, _ thread: UInt
    ) {
        let (observers, caughtUp) = (observers, caughtUp)
        let context = delivery.context
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                cause: context.cause
            ) {
                if let commit = delivery.commit {
                    for observer in observers where context.concerns(observer) {
                        observer.observe(commit)
                    }
                }
                for part in delivery.parts { part.tellBeforeSubscribers(context) }
                tell(delivery.groups, caughtUp, of: context, in: nil, on: here, thread)
                for part in delivery.parts.reversed() {
                    part.tellAfterSubscribers(context, on: here)
                }
            }
        }
    }

    /// Compares what groups have captured with what was told last, and calls the subscribers of a change;
    /// before them those of `caughtUp` that have none.
    @inline(__always)
    private func tell(
        _ groups: [SubscriberGroup], _ caughtUp: [Subscriber], of context: DeliveryContext,
        in root: consuming RootCopy?, on here: (any Actor)?, _ thread: UInt
    ) {
        var changes = 0
        // The list keeps it. Counted, it would take 112 of the 1,155 instructions in which one subscriber is told.
        var changed: Unmanaged<SubscriberGroup>?
        groups.forEachGroup { group in
            guard group.advance(in: root, of: self) else { return }
            changes += 1
            changed = .passUnretained(group)
        }
        // At once: what a subscriber dispatches changes the state in place if nothing else keeps it.
        _ = consume root
        var mailboxes: [Mailbox] = []
        if changes == 1, caughtUp.isEmpty, let changed {
            changed._withUnsafeGuaranteedRef { group in
                group.forEachNotification(of: self) {
                    call($0, with: $1, of: context, &mailboxes, thread)
                }
                group.settle()
            }
        } else if changes > 0 || !caughtUp.isEmpty {
            tellInOrder(groups, caughtUp, of: context, &mailboxes, thread)
        }
        guard !mailboxes.isEmpty else { return }
        for mailbox in mailboxes { mailbox.flush(self, from: here) }
    }

    /// Calls the members of several groups in the order in which they subscribed.
    @inline(never)
    private func tellInOrder(
        _ groups: [SubscriberGroup], _ caughtUp: [Subscriber], of context: DeliveryContext,
        _ mailboxes: inout [Mailbox], _ thread: UInt
    ) {
        var calls: [(subscriber: Subscriber, change: Change)] = []
        groups.forEachGroup { $0.forEachNotification(of: self) { calls.append(($0, $1)) } }
        callWithNewest(caughtUp, except: calls.map(\.subscriber))
        for (subscriber, change) in calls.sorted(by: { $0.0.order < $1.0.order }) {
            call(subscriber, with: change, of: context, &mailboxes, thread)
        }
        groups.forEachGroup { $0.settle() }
    }

    /// Calls a subscriber, or posts the call where it is bound to an actor.
    @inline(__always)
    private func call(
        _ subscriber: Subscriber, with change: Change, of context: DeliveryContext,
        _ mailboxes: inout [Mailbox], _ thread: UInt
    ) {
        guard context.concerns(subscriber) else { return }
        guard let mailbox = subscriber.mailbox else {
            return call(subscriber, with: change, of: context, thread)
        }
        let actorCall = subscriber.actorCall(
            with: change, to: mailbox, limit: options.limits.waitingCommits)
        guard let actorCall else { return }
        post(actorCall, to: subscriber, mailbox, of: context)
        if mailboxes.last !== mailbox { mailboxes.append(mailbox) }
    }

    private func post(
        _ call: @escaping @Sendable () -> Void, to subscriber: Subscriber, _ mailbox: Mailbox,
        of context: DeliveryContext
    ) {
        // What subscribers on all actors answer is counted as one chain.
        let actorCall = ActorCall(
            subscriber: subscriber, version: context.version, generation: context.generation,
            cause: ThreadFrame.chain(of: id), call: call)
        post(actorCall, to: mailbox)
    }

    func post(_ actorCall: ActorCall, to mailbox: Mailbox) {
        withLock { locked in
            // Busy before any thread can empty it.
            if mailbox.post(actorCall) { locked.state.callouts += 1 }
        }
    }

    /// Calls a subscriber without isolation, or leaves the call to the end of its first one.
    @inline(__always)
    private func call(
        _ subscriber: Subscriber, with change: Change, of context: DeliveryContext, _ thread: UInt
    ) {
        if subscriber.beginAlone(thread) {
            subscriber.call(change, self)
            return subscriber.endAlone(thread)
        }
        let turn = subscriber.begin { backlog in
            let mark = DeliveryMark(
                version: context.version, generation: context.generation, cause: context.cause)
            return subscriber.leave(
                change, as: mark, in: &backlog, limit: options.limits.waitingCommits)
        }
        switch turn {
        case .none: return
        case .call: subscriber.call(change, self)
        case .backlog: break
        }
        subscriber.end()
    }
}
