// SPDX-License-Identifier: MIT

// Calls on actors. The holder of the turn collects them; when its round settles they are posted, one for each subscriber,
// from the oldest value before to the newest after. One job at a time makes the calls of an actor.

extension Engine {
    /// Posts what was collected for other actors; a task goes to each that is idle.
    @inline(never)
    func post(_ work: inout DeferredWork?, _ locked: borrowing Locked) {
        while let mailbox = round.calls.mailboxes.popLast() {
            _ = postCollected(mailbox, isHere: false, &work, locked)
        }
    }

    /// Posts what was collected for this thread's actor.
    @inline(never)
    func postOwn(
        _ holder: inout TurnHolder, _ work: inout DeferredWork?, _ locked: borrowing Locked
    ) {
        guard let mailbox = holder.mailbox else { return }
        holder.isCollecting = false
        if postCollected(mailbox, isHere: true, &work, locked) { holder.hasBegun = true }
    }

    @inline(__always)
    private func postCollected(
        _ mailbox: Mailbox, isHere: Bool, _ work: inout DeferredWork?, _ locked: borrowing Locked
    ) -> Bool {
        if let replaced = mailbox.postCollected(locked) {
            DeferredWork.add(releasing: replaced, to: &work)
            locked.state.skippedValues += mailbox.takeReplacedCalls(locked)
        }
        return start(mailbox, isHere: isHere, &work, locked)
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
        _ call: SingleCall, to mailbox: Mailbox, _ context: DeliveryContext, isHere: Bool,
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
            let isMine = post(
                SingleCall(body, for: subscriber), to: mailbox, context, isHere: isHere, &work, $0)
            if isMine { mailbox.take($0) }
            return isMine
        }
        work?.finish(self)
        if isMine { makeCalls(of: mailbox, thread) }
    }

    /// Sends a task to the actor of a mailbox.
    @inline(never)
    func hop(to mailbox: Mailbox) {
        guard let actor = mailbox.currentActor else { return abandon(mailbox) }
        Task { await makeCalls(of: mailbox, on: actor) }
    }

    private func makeCalls(of mailbox: Mailbox, on actor: isolated any Actor) {
        let thread = CurrentThread.id
        var idlers: [CheckedContinuation<Void, Never>]?
        let isMine = withLock(as: thread) { locked in
            if mailbox.beginAfterHop(locked) {
                mailbox.take(locked)
                return true
            }
            if !mailbox.isBusy(locked) {
                locked.state.callbacksInProgress -= 1
                idlers = takeIdlers(locked)
            }
            return false
        }
        for idler in idlers ?? [] { idler.resume() }
        if isMine { makeCalls(of: mailbox, thread, atMost: Mailbox.turn) }
    }

    /// Makes the calls that wait for the actor that the holder of the turn is on, which has begun the job.
    func makeCalls(of holder: inout TurnHolder) {
        if let mailbox = holder.mailbox.take() { makeCalls(of: mailbox, holder.thread) }
    }

    /// Makes the calls that wait for the actor that this thread is on; the job has begun, and taken them.
    func makeCalls(of mailbox: Mailbox, _ thread: UInt, atMost most: Int = .max) {
        var left = most
        while true {
            var spare = SpareOfCalls()
            left -= TaskPermit.withNone { mailbox.make(left, of: id, &spare, thread) }
            var idlers: [CheckedContinuation<Void, Never>]?
            let next = withLock(as: thread) { locked -> Mailbox.Next in
                spare.giveBack(locked)
                let next = mailbox.next(mayMake: left > 0, locked)
                if next == .rest {
                    locked.state.callbacksInProgress -= 1
                    idlers = takeIdlers(locked)
                }
                return next
            }
            switch next {
            case .make: continue
            case .hop: return TaskPermit.withNone { hop(to: mailbox) }
            case .onItsWay: return
            case .rest:
                if let idlers { resume(idlers) }
                return
            }
        }
    }

    @inline(never)
    private func resume(_ idlers: [CheckedContinuation<Void, Never>]) {
        for idler in idlers { idler.resume() }
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
