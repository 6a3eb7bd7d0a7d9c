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
    private func claim(
        upTo version: Version, _ thread: UInt, _ locked: borrowing Locked
    ) -> Delivery? {
        guard locked.state.deliveryQueue.claim(thread, upTo: version) else { return nil }
        locked.state.callbacksInProgress += 1
        var deferredWork: DeferredWork?
        return next(&deferredWork, locked)
    }

    /// Has groups copy what they read, for a delivery that waits.
    private func capture(_ groups: [SubscriberGroup], _ locked: borrowing Locked) {
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

    /// Turns what was held into one delivery.
    private func endHolding(_ deferredWork: inout DeferredWork?, _ locked: borrowing Locked) {
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

    // MARK: Settling, under the lock

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

    /// What is left to do outside the lock after a delivery; usually nothing, so that none is made.
    private final class DeferredWork {
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

    // MARK: Notifying, outside the lock

    /// Compares what groups have captured with what was delivered last, and calls the subscribers of a change.
    @inline(__always)
    private func notify(
        _ groups: [SubscriberGroup], of context: DeliveryContext,
        in root: consuming RootCopy?, _ actorCalls: inout ActorCalls, on here: (any Actor)?,
        _ thread: UInt
    ) {
        var changes = 0
        // The list keeps it. Counted, it would take 112 of the 1,155 instructions in which one subscriber is notified.
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
                mark.chain = context.chain
                isDirect = isFree
                isUncounted = isFree
            }
            guard own === mailbox else { return false }
            guard isDirect, mark.version == context.version else {
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
                mark.chain = frame.pointee.chain
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
        _ content: ActorCall.Content, to subscriber: Subscriber, _ mailbox: Mailbox,
        of context: DeliveryContext
    ) {
        // What subscribers on all actors answer is counted as one chain.
        let actorCall = ActorCall(
            subscriber: subscriber, version: context.version, generation: context.generation,
            chain: ThreadFrame.chain(of: id), content: content)
        post(actorCall, to: mailbox)
    }

    private func post(_ actorCall: ActorCall, to mailbox: Mailbox) {
        // Released after the lock.
        var replaced: ActorCall?
        withLock { post(actorCall, to: mailbox, replacing: &replaced, $0) }
        withExtendedLifetime(replaced) {}
    }

    /// The same under the lock; `replaced` gets what is to be released outside it.
    func post(
        _ actorCall: ActorCall, to mailbox: Mailbox, replacing replaced: inout ActorCall?,
        _ locked: borrowing Locked
    ) {
        let limit = options.limits.waitingCommits
        // Busy before any thread can empty it.
        if mailbox.post(actorCall, limit: limit, replacing: &replaced) {
            locked.state.callbacksInProgress += 1
        }
    }

    /// Has the actor of a mailbox make a call in a subscriber's name, as part of the delivery that a frame
    /// stands for.
    package func call(
        on mailbox: Mailbox, for subscriber: Subscriber, within frame: ThreadFrame?,
        _ body: @escaping @Sendable () -> Void
    ) {
        let actorCall = ActorCall(
            subscriber: subscriber, version: frame?.version ?? 0,
            generation: frame?.generation ?? 0, chain: frame?.chain, content: .closure(body))
        post(actorCall, to: mailbox)
        mailbox.flush(self, from: nil)
    }

    // MARK: Calls apart from a commit

    /// Has what waits for a subscriber notified by the deliverer, or by another thread if there is none.
    func callLater(_ subscriber: Subscriber) {
        let mustResume = withLock { locked in
            addCall({ if subscriber.begin() { subscriber.end() } }, locked)
        }
        if mustResume { Task.detached { self.resumeDelivering() } }
    }

    /// Has a call made by the deliverer; true when some thread has to resume delivering.
    func addCall(
        _ call: @escaping @Sendable () -> Void, _ locked: borrowing Locked
    ) -> Bool {
        let context = DeliveryContext(
            version: locked.state.version, lastListener: locked.state.index.lastOrder)
        let mustResume = locked.state.deliveryQueue.append(
            apart: Delivery(context, parts: [ExtraCall(call)]))
        if mustResume { locked.state.callbacksInProgress += 1 }
        return mustResume
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

extension Engine {
    /// Returns when a commit has been notified.
    func waitUntilNotified(of commit: Version) async {
        await withCheckedContinuation { continuation in
            let isNotified = reading { locked in
                let isHolding = locked.state.deliveryQueue.isHolding
                if locked.state.hasNotifiedAll { return true }
                if !isHolding, locked.state.oldestUnnotified ?? .max > commit {
                    return true
                }
                let awaited = isHolding ? nil : min(commit, locked.state.version)
                locked.state.deliveryWaiters.add(continuation, for: awaited)
                return false
            }
            if isNotified { continuation.resume() }
        }
    }

    package func endCallback() {
        let idlers = withLock { locked in
            locked.state.callbacksInProgress -= 1
            return takeIdlers(locked)
        }
        for idler in idlers ?? [] { idler.resume() }
    }

    /// Takes out the tasks that wait for rest if there is rest; nil when there are none.
    func takeIdlers(_ locked: borrowing Locked) -> [CheckedContinuation<Void, Never>]? {
        guard !locked.state.idlers.isEmpty, locked.state.isAtRest else { return nil }
        var idlers: [CheckedContinuation<Void, Never>] = []
        swap(&idlers, &locked.state.idlers)
        return idlers
    }
}
