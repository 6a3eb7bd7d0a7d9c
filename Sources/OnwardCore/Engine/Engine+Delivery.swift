// SPDX-License-Identifier: MIT

// How a commit is notified. Under the lock the values that may have changed are captured; outside they are
// compared, and the subscribers of those that did change are called. One thread does this at a time, the
// deliverer, so that calls come in the order of the commits.

extension Engine {
    /// What a thread has to notify once it has freed the lock.
    enum Notification: ~Copyable {
        /// Nothing: another thread does, in turn. What goes with the announcement is released with this.
        case byOthers(releasing: DispatchChain?)
        /// What waits: the thread has become the deliverer.
        case inTurn(releasing: DispatchChain?)
        /// One commit, from the stack: the thread has become the deliverer for it.
        case directly(DirectNotification, in: RootCopy?)
    }

    /// A commit that is notified from the stack.
    struct DirectNotification: ~Copyable {
        let context: DeliveryContext
        /// The groups whose selection may have changed; they have captured what they read.
        let groups: [SubscriberGroup]
    }

    /// What is left to do outside the lock after something was notified; usually nothing, so that none is made.
    private final class DeferredWork {
        /// The tasks that waited for that, or for rest.
        private var waiters: [CheckedContinuation<Void, Never>] = []
        /// What groups without members have given away, which may use the store when it goes.
        private var releases: [Any?] = []

        static func add(
            _ waiters: [CheckedContinuation<Void, Never>], to deferredWork: inout DeferredWork?
        ) {
            make(&deferredWork).waiters += waiters
        }

        static func add(releasing releases: [Any?], to deferredWork: inout DeferredWork?) {
            make(&deferredWork).releases += releases
        }

        private static func make(_ deferredWork: inout DeferredWork?) -> DeferredWork {
            let made = deferredWork ?? DeferredWork()
            deferredWork = made
            return made
        }

        /// Resumes the tasks, and releases the rest.
        @inline(never)
        func finish() {
            for waiter in waiters { waiter.resume() }
            releases = []
        }
    }

    // MARK: Announcing, under the lock

    /// Announces the newest commit to groups.
    ///
    /// The short way, which nearly every commit takes: nothing waits and no thread delivers, so the commit
    /// is notified from the stack. Otherwise it is put behind those before it.
    @inline(never)
    func announce(
        _ groups: consuming [SubscriberGroup], _ thread: UInt, _ locked: borrowing Locked
    ) -> Notification {
        let version = locked.state.version
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder)
        guard locked.state.subscribersBehind.isEmpty,
            locked.state.deliveryQueue.claim(thread, alone: version)
        else {
            return announce(Delivery(context, groups: groups), thread, locked)
        }
        let root = captureNow(groups, locked)
        return .directly(DirectNotification(context: context, groups: groups), in: root)
    }

    /// Announces a commit with all that it means.
    func announce(
        _ delivery: consuming Delivery, _ thread: UInt, _ locked: borrowing Locked
    ) -> Notification {
        let version = delivery.context.version
        let rest = enqueue(delivery, locked)
        return claim(upTo: version, thread, locked)
            ? .inTurn(releasing: rest) : .byOthers(releasing: rest)
    }

    /// Captures what a delivery needs, and puts it behind those before it; returns what is to be
    /// released outside the lock.
    func enqueue(_ delivery: consuming Delivery, _ locked: borrowing Locked) -> DispatchChain? {
        if locked.state.deliveryQueue.isHolding { return locked.state.deliveryQueue.hold(delivery) }
        if delivery.hasContent {
            capture(delivery.groups, locked)
            locked.state.deliveryQueue.append(delivery)
        }
        return nil
    }

    /// Makes this thread the deliverer of what is due; false where another one is, or nothing is due.
    func claim(upTo version: Version, _ thread: UInt, _ locked: borrowing Locked) -> Bool {
        guard locked.state.deliveryQueue.claim(thread, upTo: version) else { return false }
        locked.state.callbacksInProgress += 1
        return true
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

    /// Has groups copy what they read, for this thread, which has become the deliverer, to notify at once;
    /// returns the state for those that need it.
    ///
    /// These wait for nothing and copy nothing each, as there may be many.
    @inline(__always)
    func captureNow(
        _ groups: [SubscriberGroup], _ locked: borrowing Locked
    ) -> RootCopy? {
        locked.state.callbacksInProgress += 1
        let root = locked.state.root
        var copy: RootCopy?
        groups.forEachGroup { group in
            guard group.needsRoot else {
                return group.capture(root, nil, isDueNow: true, locked)
            }
            if copy == nil { copy = rootCopy(isDelivery: true, locked) }
            group.takeNow(locked)
        }
        return copy
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

    /// Marks groups as delivered; they give away what those left who are gone.
    private func settle(
        _ groups: [SubscriberGroup], _ deferredWork: inout DeferredWork?, _ locked: borrowing Locked
    ) {
        groups.forEachGroup { group in
            group.isTaken = false
            if group.hasLeftovers {
                DeferredWork.add(releasing: group.takeLeftovers(locked), to: &deferredWork)
            }
        }
        locked.state.deliveryQueue.notified()
        takeWaiters(&deferredWork, locked)
    }

    /// Takes out the tasks whose commits have been notified.
    @inline(__always)
    private func takeWaiters(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) {
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
    private func endDelivering(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) {
        locked.state.callbacksInProgress -= 1
        if let idlers = takeIdlers(locked) { DeferredWork.add(idlers, to: &deferredWork) }
    }

    // MARK: Notification, outside the lock

    /// Says what was announced.
    func notify(_ notification: consuming Notification, on here: (any Actor)?, _ thread: UInt) {
        switch consume notification {
        case .byOthers: break
        case .inTurn: deliver(on: here, thread)
        case .directly(let direct, let root): notify(direct, in: root, on: here, thread) { false }
        }
    }

    /// Notifies of a commit from the stack, after something else that is to be done in turn with the deliveries,
    /// and that says whether the caller has more to do; nobody is to see rest until then.
    @inline(__always)
    func notify(
        _ direct: borrowing DirectNotification, in root: consuming RootCopy?, on here: (any Actor)?,
        _ thread: UInt, after first: () -> Bool
    ) {
        var root = root
        var hasMore = false
        var calls = ActorCalls()
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: direct.context.version, generation: direct.context.generation,
                cause: direct.context.cause
            ) {
                hasMore = first()
                notify(
                    direct.groups, [], of: direct.context, in: root.take(), &calls, on: here, thread
                )
            }
        }
        var deferredWork: DeferredWork?
        let isDone = withLock(as: thread) { locked in
            settle(direct.groups, &deferredWork, locked)
            if hasMore { locked.state.callbacksInProgress += 1 }
            calls.count(locked)
            guard locked.state.deliveryQueue.rest() else { return false }
            endDelivering(&deferredWork, locked)
            return true
        }
        deferredWork?.finish()
        if !isDone { deliver(on: here, thread) }
        calls.make(self, on: here, thread)
    }

    /// Makes the deliveries that are due, unless another thread does.
    func deliverWhatIsDue(on here: (any Actor)?) {
        let thread = CurrentThread.id
        if withLock(as: thread, { claim(upTo: $0.state.version, thread, $0) }) {
            deliver(on: here, thread)
        }
    }

    /// Continues with what another thread handed over, unless a thread that committed has taken it up.
    func resumeDelivering() {
        let thread = CurrentThread.id
        var deferredWork: DeferredWork?
        let isDeliverer = withLock(as: thread) { locked in
            if locked.state.deliveryQueue.resume(thread) { return true }
            endDelivering(&deferredWork, locked)
            return false
        }
        deferredWork?.finish()
        if isDeliverer { deliver(on: nil, thread) }
    }

    /// What the deliverer does next.
    private enum Step: ~Copyable {
        case make(Delivery, caughtUp: [Subscriber])
        case call((@Sendable () -> Void)?)
        case handOver
        case rest
    }

    /// Makes deliveries one after the other, until there are none that this thread should make.
    func deliver(on here: (any Actor)?, _ thread: UInt) {
        var notified: [SubscriberGroup]?
        var calls = ActorCalls()
        defer { calls.make(self, on: here, thread) }
        while true {
            var deferredWork: DeferredWork?
            // The groups, too, go outside the lock only.
            let step = withExtendedLifetime(notified) { notified in
                withLock(as: thread) { locked in
                    if let notified { settle(notified, &deferredWork, locked) }
                    calls.count(locked)
                    return nextStep(&deferredWork, locked)
                }
            }
            notified = nil
            deferredWork?.finish()
            switch consume step {
            case .make(let delivery, let caughtUp):
                notified = delivery.groups
                make(delivery, caughtUp, &calls, on: here, thread)
            case .call(let call):
                TaskPermit.withNone { call?() }
            case .handOver:
                TaskPermit.withNone { _ = Task.detached { self.resumeDelivering() } }
                return
            case .rest:
                return
            }
        }
    }

    private func nextStep(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) -> Step {
        while true {
            switch locked.state.deliveryQueue.next() {
            case .deliver(let delivery):
                for group in delivery.groups { group.take(locked) }
                let caughtUp =
                    locked.state.subscribersBehind.isEmpty
                    ? [] : takeCaughtUp(with: delivery.groups, locked)
                return .make(delivery, caughtUp: caughtUp)
            case .call:
                return .call(locked.state.deliveryQueue.takeCall())
            case .seal:
                seal(locked)
                takeWaiters(&deferredWork, locked)
            case .handOver:
                return .handOver
            case .rest:
                endDelivering(&deferredWork, locked)
                return .rest
            }
        }
    }

    /// Opens a batch: what is committed from here on is delivered as one when it is closed.
    func openBatch() {
        withLockUnlessReducing { $0.state.deliveryQueue.openBatch() }
    }

    func closeBatch(on here: (any Actor)?) {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return }
        var deferredWork: DeferredWork?
        let isDeliverer = withLock(as: thread) { locked in
            if locked.state.deliveryQueue.closeBatch() {
                seal(locked)
                takeWaiters(&deferredWork, locked)
            }
            return claim(upTo: locked.state.version, thread, locked)
        }
        deferredWork?.finish()
        if isDeliverer { deliver(on: here, thread) }
    }

    /// Makes one delivery, whose groups have taken their values: notifies parts, then subscribers.
    private func make(
        _ delivery: consuming Delivery, _ caughtUp: consuming [Subscriber],
        _ calls: inout ActorCalls, on here: (any Actor)?, _ thread: UInt
    ) {
        let caughtUp = caughtUp
        let context = delivery.context
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                cause: context.cause
            ) {
                for part in delivery.parts { part.notifyBeforeSubscribers(context) }
                notify(delivery.groups, caughtUp, of: context, in: nil, &calls, on: here, thread)
                for part in delivery.parts.reversed() {
                    part.notifyAfterSubscribers(context, on: here)
                }
            }
        }
    }

    /// Compares what groups have captured with what was delivered last, and calls the subscribers of a change;
    /// before them those of `caughtUp` that have none.
    @inline(__always)
    private func notify(
        _ groups: [SubscriberGroup], _ caughtUp: [Subscriber], of context: DeliveryContext,
        in root: consuming RootCopy?, _ actorCalls: inout ActorCalls, on here: (any Actor)?,
        _ thread: UInt
    ) {
        var changes = 0
        // The list keeps it. Counted, it would take 112 of the 1,155 instructions in which one subscriber is notified.
        var changed: Unmanaged<SubscriberGroup>?
        groups.forEachGroup { group in
            guard group.advance(in: root, of: self) else { return }
            changes += 1
            changed = .passUnretained(group)
        }
        // At once: what a subscriber dispatches changes the state in place if nothing else keeps it.
        _ = consume root
        if changes == 1, caughtUp.isEmpty, let changed {
            changed._withUnsafeGuaranteedRef { group in
                group.forEachNotification(of: self) {
                    call($0, with: $1, of: context, &actorCalls, on: here, thread)
                }
                group.settle()
            }
        } else if changes > 0 || !caughtUp.isEmpty {
            notifyInOrder(groups, caughtUp, of: context, &actorCalls, on: here, thread)
        }
        actorCalls.flush(self, from: here)
    }

    /// Calls the members of several groups in the order in which they subscribed.
    @inline(never)
    private func notifyInOrder(
        _ groups: [SubscriberGroup], _ caughtUp: [Subscriber], of context: DeliveryContext,
        _ actorCalls: inout ActorCalls, on here: (any Actor)?, _ thread: UInt
    ) {
        var calls: [(subscriber: Subscriber, change: Change)] = []
        groups.forEachGroup { $0.forEachNotification(of: self) { calls.append(($0, $1)) } }
        callWithNewest(caughtUp, except: calls.map(\.subscriber))
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
        guard !actorCalls.note(change, to: subscriber, mailbox, of: context, from: here) else {
            return
        }
        let actorCall = subscriber.actorCall(
            with: change, to: mailbox, limit: options.limits.waitingCommits)
        guard let actorCall else { return }
        post(actorCall, to: subscriber, mailbox, of: context)
        actorCalls.posted(to: mailbox)
    }

    /// What deliveries leave to actors.
    ///
    /// The actor on which the deliverer runs is called by it, when others may deliver again: what is slow there holds
    /// nobody up. To begin its turn before keeps what others leave to it meanwhile behind.
    private struct ActorCalls: ~Copyable {
        /// The mailboxes to which a delivery has posted.
        private var mailboxes: [Mailbox] = []
        /// That of the deliverer's actor, whose turn it has begun.
        private var own: Mailbox?
        /// The delivery in which it has begun it.
        private var mark = TurnMark()
        /// Whether it may call directly: nothing was posted before.
        private var isDirect = false
        /// Whether the turn has made the mailbox busy, which is not counted yet.
        private var isUncounted = false

        /// Notes a call on the deliverer's actor; false where it has to be posted.
        mutating func note(
            _ change: Change, to subscriber: Subscriber, _ mailbox: Mailbox,
            of context: DeliveryContext, from here: (any Actor)?
        ) -> Bool {
            if own == nil, let isFree = mailbox.beginDirectTurn(from: here) {
                own = mailbox
                mark.version = context.version
                mark.generation = context.generation
                mark.cause = context.cause
                isDirect = isFree
                isUncounted = isFree
            }
            guard own === mailbox else { return false }
            guard isDirect, mark.version == context.version, subscriber.isCalledWithEvery
            else {
                isDirect = false
                return false
            }
            guard subscriber.isNotifiedOfPart else {
                mailbox.noteDirect(change, to: subscriber)
                return true
            }
            if let part = subscriber.notified(of: change) {
                mailbox.noteDirect(part, to: subscriber)
            }
            return true
        }

        mutating func posted(to mailbox: Mailbox) {
            if mailboxes.last !== mailbox { mailboxes.append(mailbox) }
        }

        /// Sees to what a delivery has posted; inside its frame.
        mutating func flush(_ engine: Engine, from here: (any Actor)?) {
            // What its subscribers answered, and those of the turn will, is one chain.
            if own != nil, let frame = ThreadFrame.place(of: engine.id),
                frame.pointee.version == mark.version
            {
                mark.cause = frame.pointee.cause
            }
            guard !mailboxes.isEmpty else { return }
            for mailbox in mailboxes { mailbox.flush(engine, from: here) }
            mailboxes = []
        }

        /// Counts the turn, which comes after the deliveries.
        mutating func count(_ locked: borrowing Locked) {
            guard isUncounted else { return }
            isUncounted = false
            locked.state.callbacksInProgress += 1
        }

        /// Makes the turn.
        func make(_ engine: Engine, on here: (any Actor)?, _ thread: UInt) {
            guard let own else { return }
            TaskPermit.withNone { own.makeDirectTurn(of: mark, engine, on: here, thread) }
        }
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
            if mailbox.post(actorCall) { locked.state.callbacksInProgress += 1 }
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
