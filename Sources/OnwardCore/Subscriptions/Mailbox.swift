// SPDX-License-Identifier: MIT

/// The calls that wait for one actor, for all subscribers of a store that are bound to it: the shell
/// around `ActorCallQueue`.
///
/// They are made in the order in which they were posted: at once when the delivering thread already
/// runs on the actor, else by a hop, of which there is never more than one on its way.
package final class Mailbox: @unchecked Sendable {  // Everything mutable is guarded by `lock`.
    private weak let actor: (any Actor)?
    private let isMain: Bool
    private let lock = Lock()
    private var calls = ActorCallQueue<ActorCall>()
    /// Where the changes of subscribers are joined while many calls wait, by the order of the
    /// subscriber.
    private var coalescers: [UInt64: ChangeCoalescer] = [:]

    init(_ actor: any Actor) {
        self.actor = actor
        isMain = actor === MainActor.shared
    }

    /// Whether the actor still exists.
    ///
    /// Not under a lock, unless the caller keeps the actor: otherwise it may go right here.
    var isAlive: Bool { actor != nil }

    /// How many calls wait.
    var count: Int { lock.withLock { calls.count } }

    /// Where a change of a subscriber is joined with those before it: when `limit` calls wait, and until
    /// what was joined then is notified; nil when it is notified by itself.
    ///
    /// By the deliverer of the subscriber's group, to which `isSame` belongs.
    func coalescer(for subscriber: Subscriber, limit: Int, _ isSame: Change.IsSame?)
        -> ChangeCoalescer?
    {
        lock.withLock {
            let isCrowded = calls.count >= limit
            guard isCrowded || !coalescers.isEmpty else { return nil }
            if let coalescer = coalescers[subscriber.order], isCrowded || coalescer.isWaiting {
                return coalescer
            }
            guard isCrowded else { return nil }
            let coalescer = ChangeCoalescer(isSame)
            coalescers[subscriber.order] = coalescer
            return coalescer
        }
    }

    /// Adds a call; true when this made the mailbox busy.
    func post(_ actorCall: ActorCall) -> Bool {
        lock.withLock { calls.post(actorCall) }
    }

    /// Sees to it that the posted calls are made; `here` is the actor that the thread runs on as far
    /// as the compiler knows.
    package func flush(_ host: any SubscriberHost, from here: (any Actor)?) {
        guard let actor else { return abandon(host) }
        if here === actor || (isMain && MainQueue.isCurrent) {
            guard lock.withLock({ calls.beginTurn() }) else { return }
            actor.assumeIsolated { _ in drain(host) }
        } else if lock.withLock({ calls.mustHop() }) {
            sendHop(host)
        }
    }

    private func sendHop(_ host: any SubscriberHost) {
        guard let actor else { return abandon(host) }
        Task { await hop(to: actor, host) }
    }

    private func hop(to actor: isolated any Actor, _ host: any SubscriberHost) {
        if lock.withLock({ calls.beginTurnAfterHop() }) { drain(host) }
    }

    /// Makes the calls of a turn; on the actor.
    private func drain(_ host: any SubscriberHost) {
        while true {
            // Let go of after the lock.
            var coalescers: [UInt64: ChangeCoalescer] = [:]
            let step = lock.withLock {
                let step = calls.next()
                if case .rest = step { swap(&coalescers, &self.coalescers) }
                return step
            }
            switch step {
            case .make(let actorCall):
                guard actorCall.subscriber.begin() else { continue }
                ThreadFrame.push(
                    engine: host.id, version: actorCall.version, generation: actorCall.generation,
                    cause: actorCall.cause, actorCall.call)
                actorCall.subscriber.end()
            case .hop(let isOnItsWay):
                return isOnItsWay ? () : sendHop(host)
            case .rest:
                return host.endCallout()
            }
        }
    }

    /// Drops the calls of an actor that is gone, and with it the subscribers that would have been called.
    private func abandon(_ host: any SubscriberHost) {
        // Released after the lock, as their values may call back into the store when they go.
        let (abandoned, coalescers) = lock.withLock {
            defer { self.coalescers = [:] }
            return (calls.takeContents(), self.coalescers)
        }
        if !abandoned.isEmpty { host.endCallout() }
        withExtendedLifetime(coalescers) {}
    }
}

/// A call that waits for an actor, and the commit that it reports.
struct ActorCall {
    let subscriber: Subscriber
    let version: Version
    let generation: Int
    let cause: DispatchChain?
    let call: @Sendable () -> Void
}
