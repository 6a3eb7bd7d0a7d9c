// SPDX-License-Identifier: MIT

internal import DequeModule

#if canImport(Dispatch)
internal import Dispatch
#endif

/// The calls that wait for one actor, for all subscribers of a store that are bound to it: the
/// shell around `ActorCallQueue`.
///
/// They are made in the order in which they were posted: at once when the delivering thread already
/// runs on the actor, else by a hop, of which there is never more than one on its way.
package final class Mailbox: @unchecked Sendable {  // Everything mutable is guarded by `lock`.
    private weak let actor: (any Actor)?
    private let id: ObjectIdentifier
    private let isMain: Bool
    private let lock = Lock()
    @exclusivity(unchecked) private var calls = ActorCallQueue<ActorCall>()
    /// What a delivery on the actor calls there itself; belongs to the turn that it has begun, and
    /// so to the actor.
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

    /// Adds a call, or joins it with the last one of its subscriber when `limit` calls wait; true
    /// when this made the mailbox busy.
    ///
    /// `replaced` gets what is to be released outside the locks.
    func post(_ call: ActorCall, limit: Int, replacing replaced: inout ActorCall?) -> Bool {
        lock.withLock {
            calls.post(
                call, of: call.subscriber.order, limit: limit, replacing: &replaced,
                join: ActorCall.joined)
        }
    }

    /// Sees to it that the posted calls are made; `here` is the actor that the thread runs on as
    /// far as the compiler knows.
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
            switch lock.withLock({ calls.next() }) {
            case .make(let call): call.make(host)
            case .hop(let isOnItsWay): return isOnItsWay ? () : sendHop(host)
            case .rest: return host.endCallback()
            }
        }
    }

    /// Drops the calls of an actor that is gone, and with it the subscribers that would have been
    /// called.
    private func abandon(_ host: any SubscriberHost) {
        // Released after the lock, as their values may call back into the store when they go.
        let abandoned = lock.withLock { calls.takeContents() }
        if !abandoned.isEmpty { host.endCallback() }
    }

    // MARK: Calling directly

    /// Begins a turn for a delivery on the actor, to be made when others may deliver again; nil
    /// elsewhere, and inside a turn, else whether the delivery may call directly, as nothing waits.
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
            engine: host.id, version: mark.version, generation: mark.generation, chain: mark.chain
        ) {
            while let call = directCalls.popFirst() { call.make(host, thread) }
        }
        drain(host)
    }
}

/// A call that waits for an actor, and the commit that it notifies of.
struct ActorCall {
    /// What is called.
    enum Content {
        case change(Change, isJoined: Bool)
        /// Something else in the subscriber's name.
        case closure(@Sendable () -> Void)
    }

    let subscriber: Subscriber
    let version: Version
    let generation: Int
    let chain: DispatchChain?
    let content: Content

    /// One call instead of two; nil where both have to be made.
    static func joined(_ earlier: ActorCall, _ later: ActorCall) -> ActorCall? {
        guard case .change(let first, _) = earlier.content,
            case .change(let second, _) = later.content
        else { return nil }
        return ActorCall(
            subscriber: later.subscriber, version: later.version, generation: later.generation,
            chain: later.chain, content: .change(first.joined(with: second), isJoined: true))
    }

    /// Makes the call, on the actor, unless its subscriber was cancelled.
    func make(_ host: any SubscriberHost) {
        ThreadFrame.push(
            engine: host.id, version: version, generation: generation, chain: chain
        ) {
            switch content {
            case .change(let change, let isJoined):
                // What was joined may lead back to where it began.
                if isJoined, change.isRepeat(by: subscriber.isSame) { return }
                subscriber.callOnActor(change, CurrentThread.id)
            case .closure(let call):
                guard subscriber.begin() else { return }
                call()
                subscriber.end()
            }
        }
    }
}

/// The delivery that a turn begins with.
struct TurnMark: ~Copyable {
    var version: Version = 0
    var generation = 0
    var chain: DispatchChain?
}

/// A call that a delivery on the actor makes itself, when others may deliver again.
private struct DirectCall: ~Copyable {
    let subscriber: Subscriber
    let change: Change

    /// Makes the call, and gives the memory of the value before back to the subscriber's group.
    consuming func make(_ host: any SubscriberHost, _ thread: UInt) {
        let (subscriber, change) = (subscriber, change)
        _ = consume self
        subscriber.callOnActor(change, thread)
        // Consumed, so that nothing else holds the value.
        subscriber.group?.giveBack((consume change).oldValue(), to: host)
    }
}

/// The mailboxes of the actors that a store calls: a pure machine.
///
/// Mailboxes of actors that are gone are looked for when their number may have doubled, but not
/// under a lock, where an actor could be released that only the search keeps alive.
struct MailboxTable {
    private var mailboxes: [ObjectIdentifier: Mailbox] = [:]
    /// How many there may be before those of actors that are gone are looked for.
    private var capacity = 16

    var count: Int { mailboxes.count }

    /// The mailbox of an actor, which the caller keeps alive.
    ///
    /// - Complexity: O(1) on average.
    mutating func mailbox(of actor: any Actor) -> Mailbox {
        let key = ObjectIdentifier(actor)
        // An actor that is alive at this address can only be this one.
        if let mailbox = mailboxes[key], mailbox.isAlive { return mailbox }
        let mailbox = Mailbox(actor)
        mailboxes[key] = mailbox
        return mailbox
    }

    /// All mailboxes, when it is time to look for those that are no longer needed; nil
    /// otherwise.
    mutating func inventory() -> [Mailbox]? {
        guard mailboxes.count >= capacity else { return nil }
        capacity = 2 * mailboxes.count
        return Array(mailboxes.values)
    }

    /// Takes mailboxes out, unless others came in their place.
    mutating func remove(_ gone: [Mailbox]) {
        let gone = Set(gone.map { ObjectIdentifier($0) })
        mailboxes = mailboxes.filter { !gone.contains(ObjectIdentifier($0.value)) }
        capacity = max(16, 2 * mailboxes.count)
    }
}

/// Whether the current thread runs on the main queue.
package enum MainQueue {
    #if canImport(Dispatch)
    // Thread ids don't answer this: on Linux the main actor leaves the first thread of the process.
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether it does; also false if there is no such queue.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
    #else
    package static var isCurrent: Bool { false }
    #endif
}
