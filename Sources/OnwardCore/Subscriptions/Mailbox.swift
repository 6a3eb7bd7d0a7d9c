// SPDX-License-Identifier: MIT

internal import DequeModule

#if canImport(Dispatch)
internal import Dispatch
#endif

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

    /// Adds a call, or joins it with the last one of its subscriber when `limit` calls wait; true when this made
    /// the mailbox busy.
    ///
    /// `replaced` gets what is to be released outside the locks.
    func post(_ call: ActorCall, limit: Int, replacing replaced: inout ActorCall?) -> Bool {
        lock.withLock {
            calls.post(
                call, of: call.subscriber.order, limit: limit, replacing: &replaced,
                join: ActorCall.joined)
        }
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
            switch lock.withLock({ calls.next() }) {
            case .make(let call): call.make(host)
            case .hop(let isOnItsWay): return isOnItsWay ? () : sendHop(host)
            case .rest: return host.endCallout()
            }
        }
    }

    /// Drops the calls of an actor that is gone, and with it the subscribers that would have been called.
    private func abandon(_ host: any SubscriberHost) {
        // Released after the lock, as their values may call back into the store when they go.
        let abandoned = lock.withLock { calls.takeContents() }
        if !abandoned.isEmpty { host.endCallout() }
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
    let cause: DispatchChain?
    let content: Content

    /// One call instead of two; nil where both have to be made.
    static func joined(_ earlier: ActorCall, _ later: ActorCall) -> ActorCall? {
        guard case .change(let first, _) = earlier.content,
            case .change(let second, _) = later.content
        else { return nil }
        return ActorCall(
            subscriber: later.subscriber, version: later.version, generation: later.generation,
            cause: later.cause, content: .change(first.joined(with: second), isJoined: true))
    }

    /// Makes the call, on the actor, unless its subscriber was cancelled.
    func make(_ host: any SubscriberHost) {
        ThreadFrame.push(
            engine: host.id, version: version, generation: generation, cause: cause
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
    var cause: DispatchChain?
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
/// Mailboxes of actors that are gone are looked for when their number may have doubled, and not
/// under a lock, where an actor could go that only the looking keeps alive.
struct MailboxTable {
    private var mailboxes: [ObjectIdentifier: Mailbox] = [:]
    /// How many there may be before those of actors that are gone are looked for.
    private var capacity = 16

    var count: Int { mailboxes.count }
    /// How many calls wait for all actors.
    var waitingCalls: Int { mailboxes.values.reduce(0) { $0 + $1.count } }

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

    /// Whether it does; also false where there is no such queue.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
    #else
    package static var isCurrent: Bool { false }
    #endif
}

/// The calls that wait for an actor, and whose turn it is there: a pure machine.
///
/// Problem: while others post without end, an actor that emptied its mailbox would do nothing else.
///
/// Strategy: turns. A turn that came by a hop makes no more than ``turn`` calls; then it hops again,
/// so that other work of the actor gets in between. A turn that a dispatch on the actor asked for makes
/// the calls that wait at that moment, so that the dispatch is notified when it returns; what its own calls dispatch
/// there is part of it.
struct ActorCallQueue<Call> {
    /// How many calls are made after a hop.
    static var turn: Int { 64 }

    /// What the actor does next.
    enum Step {
        case make(Call)
        /// Lets other work of the actor in, and comes back by a hop, which may be on its way.
        case hop(isOnItsWay: Bool)
        /// Stops; there is nothing left.
        case rest
    }

    private enum Turn {
        case none
        /// A dispatch on the actor asked for it.
        case asked
        case hopped
    }

    private var waiting = Deque<Call>()
    private var currentTurn = Turn.none
    /// Whether a hop is on its way.
    private var isHopping = false
    /// How many more calls the turn makes.
    private var left = 0
    /// How many were taken, so that a call that waits has a position.
    private var taken = 0
    /// Where the last call of a subscriber stands that came while the limit was reached, by the subscriber.
    private var crowded: [UInt64: Int] = [:]

    /// How many wait.
    var count: Int { waiting.count }

    /// Adds a call; true when this made the mailbox busy.
    ///
    /// When `limit` calls wait it is joined with the last one of its subscriber that came then, if there is one and
    /// `join` makes one of both; `replaced` gets what is to be released.
    mutating func post(
        _ call: Call, of subscriber: UInt64, limit: Int, replacing replaced: inout Call?,
        join: (_ earlier: Call, Call) -> Call?
    ) -> Bool {
        let isCrowded = waiting.count >= limit
        if isCrowded, let position = crowded[subscriber], position >= taken {
            let earlier = waiting[position - taken]
            if let joined = join(earlier, call) {
                waiting[position - taken] = joined
                replaced = earlier
                return false
            }
        }
        if isCrowded {
            crowded[subscriber] = taken + waiting.count
        } else if !crowded.isEmpty {
            crowded[subscriber] = nil
        }
        defer { waiting.append(call) }
        return waiting.isEmpty && currentTurn == .none
    }

    /// Whether a hop to the actor is needed.
    mutating func mustHop() -> Bool {
        guard !isHopping, currentTurn == .none, !waiting.isEmpty else { return false }
        isHopping = true
        return true
    }

    /// Begins a turn for a delivery on the actor; nil inside a turn, else whether the actor may be called
    /// directly in it, as nothing waits.
    mutating func beginDirectTurn() -> Bool? {
        guard currentTurn == .none else { return nil }
        currentTurn = .asked
        left = waiting.count
        return waiting.isEmpty
    }

    /// Begins a turn for a dispatch on the actor; false inside a turn, which gets longer, or when there
    /// is nothing to call.
    mutating func beginTurn() -> Bool {
        if currentTurn == .hopped || waiting.isEmpty { return false }
        defer { currentTurn = .asked }
        left = waiting.count
        return currentTurn == .none
    }

    /// Begins the turn that a hop came for; false when a dispatch on the actor came before it.
    mutating func beginTurnAfterHop() -> Bool {
        isHopping = false
        guard currentTurn == .none, !waiting.isEmpty else { return false }
        currentTurn = .hopped
        left = min(waiting.count, Self.turn)
        return true
    }

    /// What the actor does next in a turn.
    mutating func next() -> Step {
        if left > 0, let call = waiting.popFirst() {
            left -= 1
            taken += 1
            return .make(call)
        }
        currentTurn = .none
        if waiting.isEmpty {
            if !crowded.isEmpty { crowded = [:] }
            return .rest
        }
        defer { isHopping = true }
        return .hop(isOnItsWay: isHopping)
    }

    /// Gives away what waits, as it will never be called; nothing during a turn.
    mutating func takeContents() -> Deque<Call> {
        guard currentTurn == .none else { return [] }
        defer {
            waiting = []
            crowded = [:]
        }
        return waiting
    }
}

/// What was delivered to a subscriber while its first call was under way: a pure machine.
///
/// Problem: the first call is made by the thread that subscribes. What others deliver meanwhile must come
/// after it, but that thread must not be kept to make their calls.
///
/// Strategy: the calls wait here, up to a limit, beyond which they join. The subscribing thread makes the
/// calls that it delivered itself, by dispatching from inside the first call. From the first call that
/// another thread left, all are made by the deliverer.
package struct Backlog<Call> {
    /// A call to be made later, as part of the delivery that brought it.
    package struct Late {
        package let call: Call
        package let mark: DeliveryMark
    }

    private var waiting = Deque<Late>()

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Adds a call, or joins it with the last one when `limit` of them wait; returns the previous one, to
    /// be released outside any lock.
    package mutating func add(
        _ call: Call, as mark: DeliveryMark, limit: Int, join: (_ earlier: Call, Call) -> Call
    ) -> Late? {
        guard waiting.count >= max(limit, 1), let last = waiting.popLast() else {
            waiting.append(Late(call: call, mark: mark))
            return nil
        }
        waiting.append(Late(call: join(last.call, call), mark: mark))
        return last
    }

    /// Takes the oldest call.
    package mutating func take() -> Late? { waiting.popFirst() }

    /// Takes the oldest call if the current thread delivered it.
    package mutating func takeOwn() -> Late? {
        waiting.first?.mark.thread == CurrentThread.id ? waiting.popFirst() : nil
    }
}
