// SPDX-License-Identifier: MIT

internal import DequeModule

/// The calls that wait for one actor, for all subscribers of a store that are bound to it: the shell
/// around `ActorCallQueue`.
///
/// They are made in the order in which they were posted: at once when the delivering thread already
/// runs on the actor, else by a hop, of which there is never more than one on its way.
package final class Mailbox: @unchecked Sendable {  // Everything mutable is guarded by `lock`.
    private weak let actor: (any Actor)?
    private let id: ObjectIdentifier
    private let isMain: Bool
    private let lock = Lock()
    @exclusivity(unchecked) private var calls = ActorCallQueue<ActorCall>()
    /// Where the changes of subscribers are joined while many calls wait, by the order of the
    /// subscriber.
    private var coalescers: [UInt64: ChangeCoalescer] = [:]
    /// What a delivery on the actor calls there itself; belongs to the turn that it has begun, and so to the
    /// actor.
    @exclusivity(unchecked) private var directCalls = UniqueDeque<DirectCall>()

    init(_ actor: any Actor) {
        self.actor = actor
        id = ObjectIdentifier(actor)
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
        if isCurrent(here) {
            guard lock.withLock({ calls.beginTurn() }) else { return }
            actor.assumeIsolated { _ in drain(host) }
        } else if lock.withLock({ calls.mustHop() }) {
            sendHop(host)
        }
    }

    /// Whether the thread runs on the actor, as far as the compiler knows or the main queue says.
    private func isCurrent(_ here: (any Actor)?) -> Bool {
        if let here, ObjectIdentifier(here) == id {
            // Another actor may have come where one is gone.
            return isMain || actor != nil
        }
        return isMain && MainQueue.isCurrent
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

    // MARK: Calling directly

    /// Begins a turn for a delivery on the actor, to be made when others may deliver again; nil elsewhere, and
    /// inside a turn, else whether the delivery may call directly, as nothing waits.
    func beginDirectTurn(from here: (any Actor)?) -> Bool? {
        isCurrent(here) ? lock.withLock { calls.beginDirectTurn() } : nil
    }

    /// Notes a call for the turn that was begun.
    func noteDirect(_ change: Change, to subscriber: Subscriber) {
        directCalls.append(DirectCall(subscriber: subscriber, change: change))
    }

    /// Makes the calls of the turn that was begun: those that were noted, then those that wait.
    func makeDirectTurn(
        of mark: borrowing TurnMark, _ host: any SubscriberHost, on here: (any Actor)?,
        _ thread: UInt
    ) {
        #if DEBUG
        // The compiler, or the main queue, says so; to ask takes as long as all else here.
        here?.preconditionIsolated()
        #endif
        ThreadFrame.push(
            engine: host.id, version: mark.version, generation: mark.generation, cause: mark.cause
        ) {
            while let call = directCalls.popFirst() { call.make(host, thread) }
        }
        drain(host)
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

/// The delivery that a turn begins with.
struct TurnMark: ~Copyable {
    var version: Version = 0
    var generation = 0
    var cause: DispatchChain?
}

/// A call that a delivery on the actor makes itself, when others may deliver again.
private struct DirectCall: ~Copyable {
    let subscriber: Subscriber
    let change: Change

    /// Makes the call, and gives the memory of the value before back to the subscriber's group.
    consuming func make(_ host: any SubscriberHost, _ thread: UInt) {
        let (subscriber, change) = (subscriber, change)
        subscriber.callOnActor(change, thread)
        // Consumed, so that nothing else holds the value.
        subscriber.group?.giveBack((consume change).oldValue(), to: host)
    }
}
