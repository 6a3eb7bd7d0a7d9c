// SPDX-License-Identifier: MIT

// How subscribers are notified. Under the lock a commit is submitted: the groups that read what changed are marked, and where
// no thread holds the turn, this one takes it, with the values of the marked groups. Outside the lock it makes the round: the
// values are compared, and the subscribers of those that did change are called. Then the round settles, and the thread
// makes another one if its own commits are not covered yet. So the latest value wins: what was replaced meanwhile is
// never seen.

extension Engine {
    // MARK: Submitting, under the lock

    /// Submits a commit; true if this thread has taken the turn, and makes the round.
    ///
    /// Nearly every commit finds the turn free, and is notified of alone.
    @inline(__always)
    func submit(
        _ groups: consuming [SubscriberGroup], _ context: DeliveryContext, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Bool {
        guard locked.state.turn.beginAtOnce(thread) else {
            return submit(groups, [], context, thread, locked)
        }
        begin(groups, context, locked)
        return true
    }

    /// The same with what attachments have to do.
    @inline(never)
    func submit(
        _ groups: [SubscriberGroup], _ parts: [any DeliveryPart], _ context: DeliveryContext,
        _ thread: UInt, _ locked: borrowing Locked
    ) -> Bool {
        if groups.isEmpty, parts.isEmpty { return false }
        for part in parts {
            locked.state.waitingParts.append(PendingPart(part: part, context: context))
        }
        groups.forEachGroup { mark($0, context, locked) }
        guard locked.state.turn.ask(thread) else { return false }
        takeTurn(locked)
        return true
    }

    /// Submits an action that was reduced, to which participants may respond.
    @inline(__always)
    func submit(
        _ dispatch: borrowing Dispatch, by route: Unmanaged<Route>, _ context: DeliveryContext,
        _ thread: UInt, _ locked: borrowing Locked
    ) -> Bool {
        route._withUnsafeGuaranteedRef { route in
            let groups = route.isWatched(in: locked.state.index) ? route.watchers : []
            guard let response = locked.state.attachments.response(by: route, locked),
                locked.state.turn.beginAtOnce(thread)
            else {
                return submit(groups, of: dispatch, by: route, context, thread, locked)
            }
            round.response = consume response
            begin(groups, context, locked)
            return true
        }
    }

    /// The same where participants have something to note under the lock, or another thread holds the turn.
    @inline(never)
    private func submit(
        _ groups: [SubscriberGroup], of dispatch: borrowing Dispatch, by route: Route,
        _ context: DeliveryContext, _ thread: UInt, _ locked: borrowing Locked
    ) -> Bool {
        let parts = parts(of: dispatch, by: route, as: context.version, locked)
        if parts.isEmpty { return groups.isEmpty ? false : submit(groups, context, thread, locked) }
        return submit(groups, parts, context, thread, locked)
    }

    /// Begins a round for one commit.
    @inline(__always)
    private func begin(
        _ groups: consuming [SubscriberGroup], _ context: DeliveryContext,
        _ locked: borrowing Locked
    ) {
        locked.state.callbacksInProgress += 1
        groups.forEachGroup { group in
            if group.takesEveryCommit { note(context, of: group, locked) }
            take(group, locked)
        }
        round.groups = groups
        round.context = context
        round.version = locked.state.version
    }

    /// Has a group take part in the round, with a copy of the state where it needs one.
    @inline(__always)
    private func take(_ group: SubscriberGroup, _ locked: borrowing Locked) {
        if group.needsRoot, round.root == nil {
            round.root = rootCopy(isDelivery: true, locked)
        }
        group.take(locked.state.root, locked)
    }

    /// Notes that a group has a commit to be notified of.
    private func mark(
        _ group: SubscriberGroup, _ context: DeliveryContext, _ locked: borrowing Locked
    ) {
        if group.isMarked {
            if let replaced = group.mark.join(context) {
                locked.state.droppedChains.append(replaced)
            }
            // Of a batch, nobody expects more than its end.
            if !group.takesEveryCommit, !locked.state.turn.isBatchOpen {
                group.skippedCount += 1
                locked.state.skippedValues += UInt64(group.count)
            }
        } else {
            group.isMarked = true
            group.mark = context
            locked.state.marked.append(group)
        }
        guard group.takesEveryCommit, !locked.state.turn.isBatchOpen else { return }
        note(context, of: group, locked)
    }

    /// Has a group that takes every commit note the present state.
    private func note(
        _ context: DeliveryContext, of group: SubscriberGroup, _ locked: borrowing Locked
    ) {
        let copy = group.needsRoot ? rootCopy(isDelivery: true, locked) : nil
        group.note(context, locked.state.root, copy, locked)
    }

    /// Takes the marked groups, and what waits with them, for this thread's next round.
    private func takeRound(_ locked: borrowing Locked) {
        locked.state.turn.beginRound()
        // While the marks still say what they wait for.
        let joined = locked.state.attachments.joined(in: self, locked)
        round.version = locked.state.version
        round.context = DeliveryContext(version: 0, generation: .max)
        round.isJoined = true
        swap(&round.groups, &locked.state.marked)
        swap(&round.parts, &locked.state.waitingParts)
        round.groups.forEachGroup { group in
            group.taken = group.mark
            group.mark.chain = nil
            group.isMarked = false
            note(group.taken)
            if !group.isGone { take(group, locked) }
        }
        for part in round.parts { note(part.context) }
        for part in joined {
            round.parts.append(PendingPart(part: part, context: round.context))
        }
    }

    /// Adds a commit to those that the round notifies of.
    private func note(_ context: DeliveryContext) {
        // What is replaced is kept by the group or the part.
        _ = round.context.join(context)
    }

    /// Begins the first round of a turn.
    private func takeTurn(_ locked: borrowing Locked) {
        locked.state.callbacksInProgress += 1
        takeRound(locked)
    }

    // MARK: Making rounds, outside the lock

    /// Makes the rounds of a turn that was taken for something that had no action: the end of a batch, a first call.
    func makeRounds(on here: (any Actor)?, _ thread: UInt) {
        struct NoAction: Action {}
        Dispatch.with(NoAction(), to: .root, from: ActionOrigin(), on: here) {
            makeRounds(of: $0, thread)
        }
    }

    /// Makes the round that this thread has taken the turn for, and others as long as there are commits of its own.
    @inline(never)
    func makeRounds(of dispatch: borrowing Dispatch, _ thread: UInt) {
        if round.onlyResponds {
            let step = makeResponse(to: dispatch, thread)
            if !step.isLast { goOn(with: step, of: dispatch, thread) }
            return
        }
        var holder = TurnHolder(of: self, id, round.calls, thread, here: dispatch.isolationID)
        let step = makeRound(of: dispatch, &holder)
        if step == .rest, !holder.hasBegun { return }
        goOn(with: step, of: dispatch, &holder)
    }

    /// Does what follows from a round that has called no subscriber.
    @inline(never)
    private func goOn(with first: Turn.Step, of dispatch: borrowing Dispatch, _ thread: UInt) {
        var holder = TurnHolder(of: self, id, round.calls, thread, here: dispatch.isolationID)
        goOn(with: first, of: dispatch, &holder)
    }

    /// Does what follows from a round, until this thread gives the turn back.
    @inline(never)
    private func goOn(
        with first: Turn.Step, of dispatch: borrowing Dispatch, _ holder: inout TurnHolder
    ) {
        var step = first
        while true {
            switch step {
            case .round:
                step = makeRound(of: dispatch, &holder)
            case .answer:
                step = proceed(&holder, on: dispatch.isolation)
            case .handOver, .rest:
                // Once others may have the turn, so that slow calls hold nobody up.
                if holder.hasBegun { makeCalls(of: &holder) }
                return
            }
        }
    }

    /// Makes a round of one commit that nobody watches; returns what this thread does next.
    @inline(__always)
    private func makeResponse(to dispatch: borrowing Dispatch, _ thread: UInt) -> Turn.Step {
        var context = DeliveryContext(version: 0)
        swap(&context, &round.context)
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                chain: context.chain
            ) { respond(to: dispatch, context) }
        }
        var work: DeferredWork?
        let step = withLock(as: thread) { locked in
            locked.state.notified = round.version
            return next(&work, locked)
        }
        work?.finish(self)
        return step
    }

    /// Makes one round; returns what this thread does next.
    @inline(__always)
    private func makeRound(
        of dispatch: borrowing Dispatch, _ holder: inout TurnHolder
    ) -> Turn.Step {
        // They are released with the round: not under the lock, as actions go with a context.
        let (groups, context) = round.take()
        holder.isJoined = round.isJoined
        TaskPermit.withNone {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                chain: context.chain
            ) { frame in
                if !round.parts.isEmpty { beginParts() }
                if round.responds { respond(to: dispatch, context) }
                if groups.isEmpty { return }
                notify(groups, context, &holder)
                // What this thread's actor dispatches is one chain with what subscribers without isolation have dispatched.
                if holder.isCollecting, let chain = frame.frame.chain {
                    holder.mailbox?.share(chain)
                }
            }
        }
        if round.isJoined { groups.forEachGroup { $0.taken.chain = nil } }
        return settle(groups, &holder)
    }

    /// Has attachments do what comes before the subscribers, each as part of its commit.
    @inline(never)
    private func beginParts() {
        var parts: [PendingPart] = []
        swap(&parts, &round.parts)
        for part in parts {
            call(within: part.context, with: nil) {
                part.part.notifyBeforeSubscribers(part.context)
            }
            round.answers.append(part)
        }
    }

    /// Has a participant respond to the action.
    @inline(__always)
    private func respond(to dispatch: borrowing Dispatch, _ context: DeliveryContext) {
        let rest = round.respond(to: dispatch, context, in: self)
        round.response = nil
        if let rest { round.answers.append(PendingPart(part: rest, context: context)) }
    }

    /// Takes one step of what follows from the rounds; returns what this thread does next.
    @inline(never)
    private func proceed(_ holder: inout TurnHolder, on here: (any Actor)?) -> Turn.Step {
        if let first = round.answers.first, !first.part.proceed(first.context, on: here) {
            round.answers.removeFirst()
        }
        var work: DeferredWork?
        let step = withLock(as: holder.thread) { next(&holder, &work, $0) }
        work?.finish(self)
        return step
    }

    /// Compares what groups have taken with what was notified last, and calls the subscribers of a change.
    @inline(__always)
    private func notify(
        _ groups: [SubscriberGroup], _ context: DeliveryContext, _ holder: inout TurnHolder
    ) {
        var changes = 0
        // The list keeps it. Counted, it would be a tenth of what it takes to notify one subscriber.
        var changed: Unmanaged<SubscriberGroup>?
        let root = round.root.take()
        groups.forEachGroup { group in
            // A group that everybody has left has nothing to compare.
            guard group.isTaken, group.advance(in: root, of: self) else { return }
            changes += 1
            changed = .passUnretained(group)
        }
        // At once: what a subscriber dispatches changes the state in place if nothing else keeps it.
        _ = consume root
        guard let changed else { return }
        if changes == 1, !round.isJoined {
            changed._withUnsafeGuaranteedRef { group in
                group.notify(&holder, as: context)
                group.settle()
            }
        } else {
            notifyInOrder(groups, context, &holder)
        }
    }

    /// Calls the members of several groups in the order in which they subscribed, each as part of what it is notified of.
    @inline(never)
    private func notifyInOrder(
        _ groups: [SubscriberGroup], _ context: DeliveryContext, _ holder: inout TurnHolder
    ) {
        holder.beginSorting()
        groups.forEachGroup { group in
            guard group.isTaken else { return }
            group.notify(&holder, as: round.isJoined ? group.taken : context)
        }
        for call in holder.endSorting() {
            ThreadFrame.push(
                engine: id, version: call.context.version, generation: call.context.generation,
                chain: call.context.chain
            ) {
                holder.call(call.subscriber, with: call.change, call.context)
            }
        }
        groups.forEachGroup { if $0.isTaken { $0.settle() } }
    }

    // MARK: Settling, under the lock

    /// Ends a round, and says what this thread does next.
    @inline(__always)
    private func settle(
        _ groups: [SubscriberGroup], _ holder: inout TurnHolder
    ) -> Turn.Step {
        round.isJoined = false
        var work: DeferredWork?
        let step = withLock(as: holder.thread) { locked in
            groups.forEachGroup { group in
                group.isTaken = false
                if group.hasLeftovers { DeferredWork.finish(group, &work, locked) }
            }
            locked.state.notified = round.version
            if holder.isCollecting { postOwn(&holder, &work, locked) }
            if !round.calls.mailboxes.isEmpty { post(&work, locked) }
            return next(&holder, &work, locked)
        }
        work?.finish(self)
        return step
    }

    /// What this thread does next; where it gives the turn back, it has taken the calls that it makes afterwards.
    @inline(__always)
    private func next(
        _ holder: inout TurnHolder, _ work: inout DeferredWork?, _ locked: borrowing Locked
    ) -> Turn.Step {
        let step = next(&work, locked)
        if holder.hasBegun, step.isLast { holder.mailbox?.take(locked) }
        return step
    }

    /// What this thread does next, for which it has taken what it needs.
    @inline(__always)
    private func next(_ work: inout DeferredWork?, _ locked: borrowing Locked) -> Turn.Step {
        if !locked.state.droppedChains.isEmpty { DeferredWork.dropChains(&work, locked) }
        let step = locked.state.turn.next(hasAnswers: !round.answers.isEmpty)
        switch step {
        case .round: takeRound(locked)
        case .answer: break
        case .handOver(let startsTask):
            // The task that comes is counted in place of this turn.
            if startsTask {
                DeferredWork.handOver(&work)
            } else {
                locked.state.callbacksInProgress -= 1
            }
        case .rest:
            locked.state.callbacksInProgress -= 1
            if let idlers = takeIdlers(locked) { DeferredWork.add(idlers, to: &work) }
        }
        if !locked.state.deliveryWaiters.isEmpty { takeWaiters(&work, locked) }
        return step
    }

    /// Takes out the tasks whose commits have been notified.
    @inline(never)
    private func takeWaiters(_ work: inout DeferredWork?, _ locked: borrowing Locked) {
        let notified = locked.state.notifiedUpTo
        DeferredWork.add(locked.state.deliveryWaiters.take(upTo: notified), to: &work)
    }

    // MARK: Other ways to a turn

    /// Continues with what another thread handed over, unless a thread that committed has taken it up.
    private func resumeTurn() {
        let thread = CurrentThread.id
        var work: DeferredWork?
        let isMine = withLock(as: thread) { locked in
            guard locked.state.turn.resume(thread) else {
                locked.state.callbacksInProgress -= 1
                if let idlers = takeIdlers(locked) { DeferredWork.add(idlers, to: &work) }
                return false
            }
            takeRound(locked)
            return true
        }
        work?.finish(self)
        if isMine { makeRounds(on: nil, thread) }
    }

    /// Opens a batch: what is committed from here on is notified of as one when it is closed.
    func openBatch() {
        withLockUnlessReducing(as: .batch) { $0.state.turn.openBatch() }
    }

    func closeBatch(on here: (any Actor)?) {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return }
        let isMine = withLock(as: thread) { locked in
            let isMine = locked.state.turn.closeBatch(thread)
            if !locked.state.turn.isBatchOpen { noteBatch(locked) }
            if isMine { takeTurn(locked) }
            return isMine
        }
        if isMine { makeRounds(on: here, thread) }
    }

    /// Has the groups that take every commit take what a batch has led to, which counts once.
    private func noteBatch(_ locked: borrowing Locked) {
        locked.state.marked.forEachGroup { group in
            if group.takesEveryCommit { note(group.mark, of: group, locked) }
        }
    }

    /// What is left to do outside the lock; usually nothing, so that none is made.
    final class DeferredWork {
        private var waiters: [CheckedContinuation<Void, Never>] = []
        /// What is released, which may use the store when it goes.
        private var releases: [Any?] = []
        /// Whether another thread is to go on.
        private var handsOver = false
        /// The mailboxes to whose actors a task is sent.
        private var hops: [Mailbox] = []

        private static func make(_ work: inout DeferredWork?) -> DeferredWork {
            let made = work ?? DeferredWork()
            work = made
            return made
        }

        static func add(
            _ waiters: [CheckedContinuation<Void, Never>], to work: inout DeferredWork?
        ) {
            make(&work).waiters += waiters
        }

        static func add(releasing releases: [Any?], to work: inout DeferredWork?) {
            make(&work).releases += releases
        }

        static func add(hopTo mailbox: Mailbox, to work: inout DeferredWork?) {
            make(&work).hops.append(mailbox)
        }

        static func handOver(_ work: inout DeferredWork?) {
            make(&work).handsOver = true
        }

        /// Has a group do what waited for the end of its round.
        @inline(never)
        static func finish(
            _ group: SubscriberGroup, _ work: inout DeferredWork?, _ locked: borrowing Locked
        ) {
            add(releasing: group.finish(locked), to: &work)
        }

        @inline(never)
        static func dropChains(_ work: inout DeferredWork?, _ locked: borrowing Locked) {
            add(releasing: locked.state.droppedChains, to: &work)
            locked.state.droppedChains = []
        }

        @inline(never)
        func finish(_ engine: Engine) {
            for waiter in waiters { waiter.resume() }
            releases = []
            TaskPermit.withNone {
                for mailbox in hops { engine.hop(to: mailbox) }
                if handsOver { _ = Task.detached { engine.resumeTurn() } }
            }
        }
    }
}
