// SPDX-License-Identifier: MIT

// Calls apart from the delivery that brought them: after a pause, with the newest value when a group has
// caught up, at the end of a first call.

extension Engine {
    /// Whether newer values wait behind the one that a subscriber was just notified of; then it will be
    /// called when its group has caught up.
    package func mustCatchUp(_ subscriber: Subscriber) -> Bool {
        withLock { locked in
            guard let group = subscriber.group, group.isBehind(locked) else { return false }
            locked.state.subscribersBehind[ObjectIdentifier(group), default: [:]][
                subscriber.order] =
                subscriber
            return true
        }
    }

    /// The subscribers that waited for groups that have caught up now, in the order in which they subscribed.
    ///
    /// A group that is behind has a delivery before it, so this will be asked.
    func takeCaughtUp(
        with groups: [SubscriberGroup], _ locked: borrowing Locked
    ) -> [Subscriber] {
        var caughtUp: [Subscriber] = []
        for group in groups where !group.isBehind(locked) {
            let key = ObjectIdentifier(group)
            guard let waiting = locked.state.subscribersBehind.removeValue(forKey: key) else {
                continue
            }
            caughtUp += waiting.values
        }
        return caughtUp.sorted { $0.order < $1.order }
    }

    /// Notifies subscribers that waited what was left for them by earlier commits, if the present one has nothing
    /// newer.
    func callWithNewest(_ waiting: [Subscriber], except notified: [Subscriber]) {
        let notified = Set(notified.map(\.order))
        for subscriber in waiting where !notified.contains(subscriber.order) {
            callWithDue(subscriber)
        }
    }

    /// Makes the call that is due apart from a new change; by the deliverer.
    private func callWithDue(_ subscriber: Subscriber) {
        guard subscriber.beginDue() else { return }
        subscriber.callWithDue(self)
        subscriber.end()
    }

    /// Has what waits for a subscriber notified by the deliverer, or by another thread if there is none.
    func callLater(_ subscriber: Subscriber) {
        if withLock({ addCall(to: subscriber, $0) }) {
            Task.detached { self.resumeDelivering() }
        }
    }

    /// Has a subscriber called after a pause: on its actor, by the deliverer, or right here.
    package func pauseEnded(of subscriber: Subscriber) {
        guard let mailbox = subscriber.mailbox else {
            if withLock({ addCall(to: subscriber, $0) }) { resumeDelivering() }
            return
        }
        let actorCall = ActorCall(
            subscriber: subscriber, version: withLock { $0.state.version }, generation: 0,
            cause: nil
        ) { [unowned self] in subscriber.callWithDue(self) }
        post(actorCall, to: mailbox)
        mailbox.flush(self, from: nil)
    }

    /// Has the actor of a mailbox make a call in a subscriber's name, as part of the delivery that a frame
    /// stands for.
    package func call(
        on mailbox: Mailbox, for subscriber: Subscriber, within frame: ThreadFrame?,
        _ body: @escaping @Sendable () -> Void
    ) {
        let actorCall = ActorCall(
            subscriber: subscriber, version: frame?.version ?? 0,
            generation: frame?.generation ?? 0, cause: frame?.cause, call: body)
        post(actorCall, to: mailbox)
        mailbox.flush(self, from: nil)
    }

    /// Adds the call that is due for a subscriber; true when some thread has to resume delivering.
    private func addCall(to subscriber: Subscriber, _ locked: borrowing Locked) -> Bool {
        let call: @Sendable () -> Void = { [unowned self] in
            let latest = withLock { $0.state.version }
            ThreadFrame.push(engine: id, version: latest, cause: nil) { callWithDue(subscriber) }
        }
        return addCall(call, locked)
    }

    /// Has a call made by the deliverer; true when some thread has to resume delivering.
    func addCall(
        _ call: @escaping @Sendable () -> Void, _ locked: borrowing Locked
    ) -> Bool {
        let mustResume = locked.state.deliveryQueue.append(call)
        if mustResume { locked.state.callbacksInProgress += 1 }
        return mustResume
    }
}
