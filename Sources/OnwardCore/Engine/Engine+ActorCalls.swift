// SPDX-License-Identifier: MIT

// Calls on actors. The holder of the turn collects them; when its round settles they are posted, one for each subscriber,
// from the oldest value before to the newest after. One job at a time makes the calls of an actor.

/// The actor that the holder of the turn runs on.
struct OwnActor {
    /// Its mailbox, once there is a call for it.
    var mailbox: Mailbox?
    /// Whether this thread has begun the job that makes its calls.
    var hasBegun = false
}

extension Engine {
    /// Collects a call for a subscriber's actor, to be posted when the round settles.
    @inline(never)
    func collect(
        _ change: Change, for subscriber: Subscriber, _ mailbox: Mailbox,
        _ context: DeliveryContext, on here: (any Actor)?, _ own: inout OwnActor
    ) {
        if !mailbox.isCollecting {
            if own.mailbox == nil, mailbox.isCurrent(from: here) { own.mailbox = mailbox }
            round.mailboxes.append(mailbox)
            mailbox.beginCollecting(context)
            // What subscribers on all actors dispatch in answer is counted as one chain.
            if own.mailbox !== mailbox { mailbox.share(ThreadFrame.chain(of: id)) }
        } else if round.isJoined {
            mailbox.join(context)
        }
        guard subscriber.isNotifiedOfPart else {
            return mailbox.collect(change, for: subscriber)
        }
        if let part = subscriber.notified(of: change) { mailbox.collect(part, for: subscriber) }
    }

    /// Has what this thread's actor will dispatch be one chain with what subscribers without isolation have dispatched.
    func shareChain(with own: Mailbox) {
        guard own.isCollecting, let outer = ThreadFrame.place(of: id) else { return }
        if let chain = outer.frame.chain { own.share(chain) }
    }

    /// Posts what was collected; a task goes to each actor that is idle, except to that of this thread.
    @inline(never)
    func post(_ own: inout OwnActor, _ work: inout DeferredWork?, _ locked: borrowing Locked) {
        while let mailbox = round.mailboxes.popLast() {
            let replaced = mailbox.postCollected(locked)
            if !replaced.isEmpty { DeferredWork.add(releasing: replaced, to: &work) }
            if start(mailbox, isHere: mailbox === own.mailbox, &work, locked) {
                own.hasBegun = true
            }
        }
    }

    /// Has the calls made that were posted: by this thread, if it is on the actor, else by a task; true if this thread has
    /// begun the job.
    private func start(
        _ mailbox: Mailbox, isHere: Bool, _ work: inout DeferredWork?, _ locked: borrowing Locked
    ) -> Bool {
        if !mailbox.isBusy(locked) { locked.state.callbacksInProgress += 1 }
        switch mailbox.start(isHere: isHere, locked) {
        case .another: return false
        case .here: return true
        case .hop:
            DeferredWork.add(hopTo: mailbox, to: &work)
            return false
        }
    }

    /// Posts one call.
    func post(
        _ call: consuming ActorCall, to mailbox: Mailbox, _ context: DeliveryContext, isHere: Bool,
        _ work: inout DeferredWork?, _ locked: borrowing Locked
    ) -> Bool {
        let replaced = mailbox.post(call, context, locked)
        if !replaced.isEmpty { DeferredWork.add(releasing: replaced, to: &work) }
        return start(mailbox, isHere: isHere, &work, locked)
    }

    /// Has the actor of a mailbox make a call in a subscriber's name, as part of the round that a frame stands for.
    package func call(
        on mailbox: Mailbox, for subscriber: Subscriber, within frame: ThreadFrame?,
        _ body: @escaping @Sendable () -> Void
    ) {
        let thread = CurrentThread.id
        let isHere = mailbox.isCurrent(from: nil)
        let context = DeliveryContext(
            version: frame?.version ?? 0, generation: max(frame?.generation ?? 0, 0),
            chain: frame?.chain)
        var work: DeferredWork?
        let isMine = withLock(as: thread) {
            post(
                ActorCall(body, for: subscriber), to: mailbox, context, isHere: isHere, &work, $0)
        }
        work?.finish(self)
        if isMine { makeCalls(of: mailbox, thread) }
    }

    /// Sends a task to the actor of a mailbox.
    func hop(to mailbox: Mailbox) {
        guard let actor = mailbox.currentActor else { return abandon(mailbox) }
        Task { await makeCalls(of: mailbox, on: actor) }
    }

    private func makeCalls(of mailbox: Mailbox, on actor: isolated any Actor) {
        let thread = CurrentThread.id
        var idlers: [CheckedContinuation<Void, Never>]?
        let isMine = withLock(as: thread) { locked in
            if mailbox.beginAfterHop(locked) { return true }
            if !mailbox.isBusy(locked) {
                locked.state.callbacksInProgress -= 1
                idlers = takeIdlers(locked)
            }
            return false
        }
        for idler in idlers ?? [] { idler.resume() }
        if isMine { makeCalls(of: mailbox, thread, atMost: Mailbox.turn) }
    }

    /// Makes the calls that wait for the actor that this thread is on; the job has begun.
    func makeCalls(of mailbox: Mailbox, _ thread: UInt, atMost most: Int = .max) {
        var made = 0
        var spare: EmptyCopy?
        var spareOf: SubscriberGroup?
        while true {
            var idlers: [CheckedContinuation<Void, Never>]?
            let next = withLock(as: thread) { locked -> Mailbox.Next in
                if let group = spareOf { group.giveBack(&spare, locked) }
                let next = mailbox.next(mayMake: made < most, locked)
                if next == .rest {
                    locked.state.callbacksInProgress -= 1
                    idlers = takeIdlers(locked)
                }
                return next
            }
            spareOf = nil
            switch next {
            case .make:
                made += TaskPermit.withNone {
                    mailbox.make(most - made, of: id, &spare, &spareOf, thread)
                }
            case .hop: return TaskPermit.withNone { hop(to: mailbox) }
            case .onItsWay: return
            case .rest:
                for idler in idlers ?? [] { idler.resume() }
                return
            }
        }
    }

    /// Drops the calls of an actor that is gone, and with it the subscribers that would have been called.
    private func abandon(_ mailbox: Mailbox) {
        var idlers: [CheckedContinuation<Void, Never>]?
        // Released after the lock, as their values may call back into the store when they go.
        let abandoned = withLock { locked in
            defer { idlers = takeIdlers(locked) }
            let abandoned = mailbox.abandon(locked)
            if !mailbox.isBusy(locked) { locked.state.callbacksInProgress -= 1 }
            return abandoned
        }
        withExtendedLifetime(abandoned) {}
        for idler in idlers ?? [] { idler.resume() }
    }
}
