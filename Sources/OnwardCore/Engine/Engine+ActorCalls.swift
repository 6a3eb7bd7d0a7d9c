// SPDX-License-Identifier: MIT

// Calls on actors, which deliveries leave to their mailboxes.

extension Engine {
    /// What deliveries leave to actors.
    ///
    /// The deliverer calls the actor that it runs on itself, once others may deliver again, so that
    /// slow calls there hold nobody up. Beginning the turn earlier keeps later calls from others
    /// behind it.
    struct ActorCalls: ~Copyable {
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

        /// Notes a call on the deliverer's actor; false if it has to be posted.
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
            // What its subscribers dispatched in answer, and what those of the turn will, is one
            // chain.
            if own != nil, let outer = ThreadFrame.place(of: engine.id),
                outer.frame.version == mark.version
            {
                mark.chain = outer.frame.chain
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

    func post(
        _ content: ActorCall.Content, to subscriber: Subscriber, _ mailbox: Mailbox,
        of context: DeliveryContext
    ) {
        // What subscribers on all actors dispatch in answer is counted as one chain.
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

    /// Has the actor of a mailbox make a call in a subscriber's name, as part of the delivery that
    /// a frame stands for.
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
}
