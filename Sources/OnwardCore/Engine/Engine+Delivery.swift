// SPDX-License-Identifier: MIT

// How a commit is delivered. Under the lock it is submitted: the values that may have changed are captured, and
// where no thread delivers the delivery is handed back to be made at once. Outside the lock it is made: the values
// are compared, and the subscribers of those that did change are called. Then it settles, and the next one is taken.
// One thread does this at a time, the deliverer, so that calls come in the order of the commits.

extension Engine {
    // MARK: Submitting, under the lock

    /// Submits a commit; returns the delivery to make where nobody delivers, as this thread has become the deliverer.
    ///
    /// Nearly every commit finds nobody. Otherwise it is put behind those before it.
    @inline(never)
    func submit(
        _ delivery: consuming Delivery, _ thread: UInt, _ locked: borrowing Locked
    ) -> Delivery? {
        let version = delivery.context.version
        if locked.state.deliveryQueue.isHolding {
            locked.state.deliveryQueue.hold(delivery)
        } else if delivery.hasContent {
            if locked.state.deliveryQueue.claim(thread, alone: version) {
                locked.state.callbacksInProgress += 1
                captureNow(&delivery, locked)
                return delivery
            }
            capture(delivery.groups, locked)
            locked.state.deliveryQueue.append(delivery)
        }
        return claim(upTo: version, thread, locked)
    }

    /// Submits an action that was reduced, to which participants may respond.
    func submit(
        _ delivery: consuming Delivery, of dispatch: borrowing Dispatch, by route: Route,
        _ thread: UInt, _ locked: borrowing Locked
    ) -> Delivery? {
        if locked.state.deliveryQueue.isFree, let participant = respondent(to: route, locked) {
            delivery.response = Response(participant: participant, route: route)
        } else {
            delivery.parts = parts(
                of: dispatch, by: route, as: delivery.context.version, locked)
        }
        return submit(delivery, thread, locked)
    }

    /// The first delivery that is due, as whose deliverer this thread is noted; nil where another one is, or nothing is
    /// due.
    func claim(
        upTo version: Version, _ thread: UInt, _ locked: borrowing Locked
    ) -> Delivery? {
        guard locked.state.deliveryQueue.claim(thread, upTo: version) else { return nil }
        locked.state.callbacksInProgress += 1
        var deferredWork: DeferredWork?
        return next(&deferredWork, locked)
    }

    /// Has groups copy what they read, for a delivery that waits.
    func capture(_ groups: [SubscriberGroup], _ locked: borrowing Locked) {
        let root = locked.state.root
        var copy: RootCopy?
        groups.forEachGroup { group in
            if group.needsRoot, copy == nil { copy = rootCopy(isDelivery: true, locked) }
            group.capture(root, copy, isDueNow: false, locked)
        }
    }

    /// Has groups copy what they read, for this thread, which has become the deliverer.
    ///
    /// Those that compute from the state wait for nothing and copy nothing each, as there may be many.
    @inline(__always)
    private func captureNow(_ delivery: inout Delivery, _ locked: borrowing Locked) {
        let root = locked.state.root
        var copy: RootCopy?
        delivery.groups.forEachGroup { group in
            guard group.needsRoot else {
                return group.capture(root, nil, isDueNow: true, locked)
            }
            if copy == nil { copy = rootCopy(isDelivery: true, locked) }
            group.takeNow(locked)
        }
        delivery.root = copy
    }

    // MARK: Delivering, outside the lock

    /// Makes a delivery that was handed back to what had no action for it: the end of a batch, a first call.
    func deliver(_ first: consuming Delivery?, on here: (any Actor)?, _ thread: UInt) {
        struct NoAction: Action {}
        var first = first.take()
        Dispatch.with(NoAction(), to: .root, from: Origin(), on: here) {
            deliver(first.take(), of: $0, thread)
        }
    }

    /// Makes the delivery of an action that was handed back, and those behind it, until there are none that this
    /// thread should make.
    func deliver(_ first: consuming Delivery?, of dispatch: borrowing Dispatch, _ thread: UInt) {
        guard var delivery = first.take() else { return }
        let here = dispatch.isolation
        var calls = ActorCalls()
        while true {
            // Only the first one can have a response, which is to this action.
            let groups = make(&delivery, of: dispatch, &calls, on: here, thread)
            var deferredWork: DeferredWork?
            // The groups, too, go outside the lock only.
            let following = withExtendedLifetime(groups) {
                withLock(as: thread) { locked in
                    settle(groups, &deferredWork, locked)
                    calls.count(locked)
                    return next(&deferredWork, locked)
                }
            }
            deferredWork?.finish(self)
            guard let following else { break }
            delivery = following
        }
        calls.make(self, on: here, thread)
    }

    /// Continues with what another thread handed over, unless a thread that committed has taken it up.
    func resumeDelivering() {
        let thread = CurrentThread.id
        var deferredWork: DeferredWork?
        let first = withLock(as: thread) { locked -> Delivery? in
            if locked.state.deliveryQueue.resume(thread) { return next(&deferredWork, locked) }
            endDelivering(&deferredWork, locked)
            return nil
        }
        deferredWork?.finish(self)
        deliver(first, on: nil, thread)
    }

    /// The next delivery that this thread makes; nil when it no longer delivers.
    private func next(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) -> Delivery?
    {
        while true {
            switch locked.state.deliveryQueue.next() {
            case .deliver(let delivery):
                for group in delivery.groups { group.take(locked) }
                return delivery
            case .join:
                endHolding(&deferredWork, locked)
            case .handOver:
                DeferredWork.handOver(&deferredWork)
                return nil
            case .rest:
                endDelivering(&deferredWork, locked)
                return nil
            }
        }
    }

    /// Makes one delivery, whose groups have taken their values; returns these groups.
    @inline(__always)
    private func make(
        _ delivery: inout Delivery, of dispatch: borrowing Dispatch, _ calls: inout ActorCalls,
        on here: (any Actor)?, _ thread: UInt
    ) -> [SubscriberGroup] {
        let context = delivery.context
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                chain: context.chain
            ) {
                for part in delivery.parts { part.notifyBeforeSubscribers(context) }
                let rest = respond(to: dispatch, &delivery)
                notify(
                    delivery.groups, of: context, in: delivery.root.take(), &calls, on: here, thread
                )
                rest?.notifyAfterSubscribers(context, on: here)
                for part in delivery.parts.reversed() {
                    part.notifyAfterSubscribers(context, on: here)
                }
            }
        }
        return delivery.groups
    }

    /// Has a participant respond to the action; returns what it has to do when the subscribers have been called.
    @inline(__always)
    private func respond(
        to dispatch: borrowing Dispatch, _ delivery: inout Delivery
    ) -> (any DeliveryPart)? {
        guard let response = delivery.response.take() else { return nil }
        return response.participant.respond(
            to: dispatch, by: response.route, delivery.context, in: self)
    }

    // MARK: Notifying, outside the lock

    /// Compares what groups have captured with what was delivered last, and calls the subscribers of a change.
    @inline(__always)
    private func notify(
        _ groups: [SubscriberGroup], of context: DeliveryContext,
        in root: consuming RootCopy?, _ actorCalls: inout ActorCalls, on here: (any Actor)?,
        _ thread: UInt
    ) {
        var changes = 0
        // The list keeps it. Counted, it would be a tenth of what it takes to notify one subscriber.
        var changed: Unmanaged<SubscriberGroup>?
        groups.forEachGroup { group in
            // What was merged or left since has nothing to compare, and another thread may take it apart.
            guard group.isTaken, group.advance(in: root, of: self) else { return }
            changes += 1
            changed = .passUnretained(group)
        }
        // At once: what a subscriber dispatches changes the state in place if nothing else keeps it.
        _ = consume root
        if changes == 1, let changed {
            changed._withUnsafeGuaranteedRef { group in
                group.forEachNotification(of: self) {
                    call($0, with: $1, of: context, &actorCalls, on: here, thread)
                }
                group.settle()
            }
        } else if changes > 0 {
            notifyInOrder(groups, of: context, &actorCalls, on: here, thread)
        }
        actorCalls.flush(self, from: here)
    }

    /// Calls the members of several groups in the order in which they subscribed.
    @inline(never)
    private func notifyInOrder(
        _ groups: [SubscriberGroup], of context: DeliveryContext, _ actorCalls: inout ActorCalls,
        on here: (any Actor)?, _ thread: UInt
    ) {
        var calls: [(subscriber: Subscriber, change: Change)] = []
        groups.forEachGroup { $0.forEachNotification(of: self) { calls.append(($0, $1)) } }
        for (subscriber, change) in calls.sorted(by: { $0.0.order < $1.0.order }) {
            call(subscriber, with: change, of: context, &actorCalls, on: here, thread)
        }
        groups.forEachGroup { $0.settle() }
    }

    /// Calls a subscriber, or leaves the call to its actor.
    @inline(__always)
    private func call(
        _ subscriber: Subscriber, with change: Change, of context: DeliveryContext,
        _ actorCalls: inout ActorCalls, on here: (any Actor)?, _ thread: UInt
    ) {
        guard context.concerns(subscriber) else { return }
        guard let mailbox = subscriber.mailbox else {
            return call(subscriber, with: change, of: context, thread)
        }
        guard !actorCalls.note(change, to: subscriber, mailbox, of: context, from: here),
            let part = subscriber.notified(of: change)
        else { return }
        post(.change(part, isJoined: false), to: subscriber, mailbox, of: context)
        actorCalls.posted(to: mailbox)
    }

    /// Calls a subscriber without isolation, or leaves the call to the end of its first one.
    @inline(__always)
    private func call(
        _ subscriber: Subscriber, with change: Change, of context: DeliveryContext, _ thread: UInt
    ) {
        if subscriber.beginAlone(thread) {
            subscriber.call(change)
            return subscriber.endAlone(thread)
        }
        let turn = subscriber.begin { backlog in
            let mark = DeliveryMark(
                version: context.version, generation: context.generation, chain: context.chain)
            return subscriber.leave(
                change, as: mark, in: &backlog, limit: options.limits.waitingCommits)
        }
        switch turn {
        case .none: return
        case .call: subscriber.call(change)
        case .backlog: break
        }
        subscriber.end()
    }
}
