// SPDX-License-Identifier: MIT

internal import DequeModule

#if canImport(Dispatch)
internal import Dispatch
#endif

/// The calls that wait for one actor, for all subscribers of a store that are bound to it.
///
/// A subscriber has one call waiting at most, from the value that it knows to the newest. One job at a time makes them: that
/// of the thread that notifies, where it runs on the actor, else that of a task that is sent there.
///
/// Who may touch what: what is collected belongs to the holder of the turn, `current` to the running job, and everything else
/// to the store's lock.
package final class Mailbox: @unchecked Sendable {  // As said above.
    /// How many calls a task makes before other work of the actor gets in.
    static var turn: Int { 64 }

    /// Who makes calls that were posted.
    enum Start {
        /// A job that runs, or that is on its way.
        case another
        /// This thread.
        case here
        /// A task that has to be sent to the actor.
        case hop
    }

    /// What a job does next.
    enum Next {
        /// Makes the calls that it has taken.
        case make
        /// Lets other work of the actor in, and sends another task.
        case hop
        /// Leaves what waits to a task that is on its way.
        case onItsWay
        /// Stops; there is nothing left.
        case rest
    }

    private weak let actor: (any Actor)?
    private let id: ObjectIdentifier
    private let isMain: Bool
    /// The calls that wait, as long as they are of one round.
    @exclusivity(unchecked) private var waiting = UniqueDeque<ActorCall>()
    /// The calls that wait where they are of several rounds: one for each subscriber.
    @exclusivity(unchecked) private var joined: [SingleCall] = []
    /// The commits that the waiting calls notify of; meaningless where none waits.
    @exclusivity(unchecked) private var waitingContext = DeliveryContext(version: 0)
    /// Whether the waiting calls may be in another order than their subscribers.
    @exclusivity(unchecked) private var mustSort = false
    /// Where the call of each subscriber is in `joined`.
    @exclusivity(unchecked) private var places: [ObjectIdentifier: Int] = [:]
    /// How many calls became one with a later one.
    @exclusivity(unchecked) private var replacedCalls: UInt64 = 0
    /// Whether a job makes calls, or is about to.
    @exclusivity(unchecked) private var isRunning = false
    /// Whether a task is on its way.
    @exclusivity(unchecked) private var isHopping = false
    /// Whether the job may take what waits: at its beginning, and when its own calls have led to it.
    @exclusivity(unchecked) private var mayTake = false

    @exclusivity(unchecked) private var collected = UniqueDeque<ActorCall>()
    @exclusivity(unchecked) private var collectedContext = DeliveryContext(version: 0)
    /// Whether anything is collected.
    @exclusivity(unchecked) private(set) var isCollecting = false

    @exclusivity(unchecked) private var current = UniqueDeque<ActorCall>()
    @exclusivity(unchecked) private var currentContext = DeliveryContext(version: 0)
    /// Current calls that were of several rounds when they were taken.
    @exclusivity(unchecked) private var currentJoined: [SingleCall] = []
    /// Whether the current calls may be in another order than their subscribers.
    @exclusivity(unchecked) private var mustSortCurrent = false

    init(_ actor: any Actor) {
        self.actor = actor
        id = ObjectIdentifier(actor)
        isMain = actor === MainActor.shared
    }

    /// Whether the actor still exists.
    ///
    /// Not under a lock, unless the caller keeps the actor: otherwise it may go right here.
    var isAlive: Bool { actor != nil }

    /// The actor, to be asked for outside the lock; nil when it is gone.
    var currentActor: (any Actor)? { actor }

    /// Whether the thread runs on the actor, as far as the compiler knows or the main queue says.
    func isCurrent(from here: ObjectIdentifier?) -> Bool {
        if let here, here == id {
            // Another actor may have come where one is gone.
            return isMain || actor != nil
        }
        return isMain && MainQueue.isCurrent
    }

    /// The same of an actor that the caller keeps.
    static func isCurrent(_ actor: any Actor, from here: (any Actor)?) -> Bool {
        if let here, here === actor { return true }
        return actor === MainActor.shared && MainQueue.isCurrent
    }

    // MARK: For the holder of the turn

    /// Begins to collect the calls of a round.
    func beginCollecting(_ context: DeliveryContext) {
        isCollecting = true
        collectedContext = context
    }

    /// Collects a call.
    func collect(_ change: Change, for subscriber: Subscriber) {
        collected.append(.one(SingleCall(change, to: subscriber)))
    }

    /// Collects the calls of members of a group that are all of this actor.
    @inline(__always)
    func collect(_ change: Change, for members: [Subscriber?], _ range: Range<Int>) {
        collected.append(.members(members, range, change))
    }

    /// Adds commits to those that the calls notify of.
    func join(_ context: DeliveryContext) {
        // What is replaced is kept by the round.
        _ = collectedContext.join(context)
    }

    /// Has what the calls dispatch belong to a chain.
    func share(_ chain: DispatchChain?) { collectedContext.chain = chain }

    // MARK: Under the lock

    /// Whether a job runs or is on its way.
    func isBusy(_ locked: borrowing Locked) -> Bool { isRunning || isHopping }

    /// Posts what was collected; returns what is to be released outside the lock, mostly nothing.
    @inline(__always)
    func postCollected(_ locked: borrowing Locked) -> [Any?]? {
        isCollecting = false
        if !isWaiting {
            swap(&waiting, &collected)
            swap(&waitingContext, &collectedContext)
            mustSort = false
            return nil
        }
        return joinCollected(locked)
    }

    /// Posts it where other calls wait.
    @inline(never)
    private func joinCollected(_ locked: borrowing Locked) -> [Any?] {
        var replaced: [Any?] = []
        mustSort = true
        note(collectedContext, &replaced)
        collectedContext.chain = nil
        while let call = waiting.popFirst() { call.forEach { add($0, &replaced) } }
        while let call = collected.popFirst() { call.forEach { add($0, &replaced) } }
        return replaced
    }

    /// Adds a call to those that wait, or to the one that waits for its subscriber.
    private func add(_ call: SingleCall, _ replaced: inout [Any?]) {
        if let place = places[call.key], joined[place].join(call, &replaced) {
            replacedCalls += 1
            call.subscriber.meter?.noteReplacedCall()
            return
        }
        places[call.key] = joined.count
        joined.append(call)
    }

    /// How many calls were replaced since this was asked last.
    func takeReplacedCalls(_ locked: borrowing Locked) -> UInt64 {
        defer { replacedCalls = 0 }
        return replacedCalls
    }

    /// Posts one call, which replaces none; returns what is to be released outside the lock.
    func post(
        _ call: SingleCall, _ context: DeliveryContext, _ locked: borrowing Locked
    ) -> [Any?] {
        var replaced: [Any?] = []
        note(context, &replaced)
        mustSort = isWaiting
        waiting.append(.one(call))
        return replaced
    }

    /// Whether calls wait.
    private var isWaiting: Bool { !waiting.isEmpty || !joined.isEmpty }

    private func note(_ context: DeliveryContext, _ replaced: inout [Any?]) {
        if !isWaiting {
            waitingContext = context
        } else if let chain = waitingContext.join(context) {
            replaced.append(chain)
        }
    }

    /// Decides who makes the calls that were posted.
    func start(isHere: Bool, _ locked: borrowing Locked) -> Start {
        if isRunning {
            mayTake = mayTake || isHere
            return .another
        }
        if isHere {
            isRunning = true
            mayTake = true
            return .here
        }
        if isHopping { return .another }
        isHopping = true
        return .hop
    }

    /// Begins the job of a task that was sent; false if there is nothing to do.
    func beginAfterHop(_ locked: borrowing Locked) -> Bool {
        isHopping = false
        guard !isRunning, isWaiting || !current.isEmpty else { return false }
        isRunning = true
        mayTake = true
        return true
    }

    /// What the running job does next; for `.make` it has taken the calls.
    func next(mayMake: Bool, _ locked: borrowing Locked) -> Next {
        if current.isEmpty, !isWaiting {
            isRunning = false
            return isHopping ? .onItsWay : .rest
        }
        if mayMake, !current.isEmpty { return .make }
        guard mayMake, mayTake else {
            isRunning = false
            defer { isHopping = true }
            return isHopping ? .onItsWay : .hop
        }
        take(locked)
        return .make
    }

    /// Has the running job take the calls that wait, once it has made those before.
    func take(_ locked: borrowing Locked) {
        guard current.isEmpty else { return }
        mayTake = false
        swap(&current, &waiting)
        swap(&currentContext, &waitingContext)
        mustSortCurrent = mustSort
        if joined.isEmpty { return }
        swap(&currentJoined, &joined)
        places = [:]
    }

    /// Gives away what waits, as it will never be called; nothing while a job runs.
    func abandon(_ locked: borrowing Locked) -> [Any?] {
        isHopping = false
        guard !isRunning else { return [] }
        var abandoned: [Any?] = []
        while let call = current.popFirst() { call.forEach { abandoned.append($0) } }
        while let call = waiting.popFirst() { call.forEach { abandoned.append($0) } }
        abandoned.append(joined)
        (joined, places) = ([], [:])
        return abandoned
    }

    // MARK: For the running job

    /// Makes the calls that were taken, up to a number of them; returns how many.
    ///
    /// `spare` gets the memory of a value before that nobody needs any more.
    func make(
        _ most: Int, of engine: UnsafeRawPointer, _ spare: inout SpareOfCalls, _ thread: UInt
    ) -> Int {
        if mustSortCurrent { sort() }
        var made = 0
        ThreadFrame.push(
            engine: engine, version: currentContext.version,
            generation: currentContext.generation, chain: currentContext.chain
        ) {
            while made < most, let call = current.popFirst() {
                switch consume call {
                case .one(var call):
                    call.make(thread, &spare)
                    made += 1
                case .members(let members, let range, let change):
                    let now = range.prefix(most - made)
                    made += now.count
                    let called = members.call(now, with: change, thread)
                    if now.endIndex < range.endIndex {
                        let rest = now.endIndex..<range.endIndex
                        current.prepend(.members(members, rest, change))
                    } else if let called {
                        spare.keep((consume change).oldValue(), of: called)
                        // Who was cancelled in a call may have nobody else who keeps it alive up to here.
                        withExtendedLifetime(members) {}
                    }
                }
            }
        }
        if current.isEmpty { currentContext.chain = nil }
        return made
    }

    @inline(never)
    private func sort() {
        var calls: [SingleCall] = []
        swap(&calls, &currentJoined)
        while let call = current.popFirst() { call.forEach { calls.append($0) } }
        calls.sort { $0.subscriber.order < $1.subscriber.order }
        for call in calls { current.append(.one(call)) }
        mustSortCurrent = false
    }
}

/// Calls that wait for an actor; they are passed on and never copied.
enum ActorCall: ~Copyable {
    /// The call of one subscriber.
    case one(SingleCall)
    /// Calls with one change, of those in a range of the members of a group, with holes where some left.
    case members([Subscriber?], Range<Int>, Change)

    /// Calls `body` with the call of each subscriber.
    consuming func forEach(_ body: (SingleCall) -> Void) {
        switch consume self {
        case .one(let call): body(call)
        case .members(let members, let range, let change):
            for case let member? in members[range] { body(SingleCall(change, to: member)) }
        }
    }
}

/// A call of one subscriber of an actor.
struct SingleCall {
    let subscriber: Subscriber
    /// What the subscriber is notified of; nil where something else is called in its name.
    private var change: Change?
    private var body: (@Sendable () -> Void)?
    /// Whether the change is of several rounds, and so may lead back to where it began.
    private var isJoined = false
    /// Whether it is the call with the value at subscription.
    private var isFirst = false

    init(_ change: Change, to subscriber: Subscriber, isFirst: Bool = false) {
        self.subscriber = subscriber
        self.change = change
        self.isFirst = isFirst
    }

    init(_ body: @escaping @Sendable () -> Void, for subscriber: Subscriber) {
        self.subscriber = subscriber
        self.body = body
    }

    /// What distinguishes its subscriber from others.
    var key: ObjectIdentifier { ObjectIdentifier(subscriber) }

    /// Becomes one call with a later one; false where both have to be made.
    ///
    /// `replaced` gets what is to be released outside the lock.
    mutating func join(_ later: SingleCall, _ replaced: inout [Any?]) -> Bool {
        guard let change, let next = later.change else { return false }
        replaced += [change, next]
        if isFirst {
            self.change = Change(from: next.new, to: next.new)
        } else {
            self.change = change.joined(with: next)
            isJoined = true
        }
        return true
    }

    /// Makes the call, on the actor, unless its subscriber was cancelled.
    ///
    /// `spare` gets the memory of the value before if nobody else holds that.
    mutating func make(_ thread: UInt, _ spare: inout SpareOfCalls) {
        // Taken out, and not copied: where nobody else holds the value before, its memory is spare.
        guard let change = change.take() else { return subscriber.call(thread) { body?() } }
        if !isJoined || !change.isRepeat(by: subscriber.isSame) {
            subscriber.call(thread) { subscriber.pass(change) }
        }
        spare.keep((consume change).oldValue(), of: .passUnretained(subscriber))
    }
}

extension [Subscriber?] {
    /// Makes calls of members in a range, on their actor; returns one of them, which the list keeps alive.
    @inline(__always)
    fileprivate func call(_ range: Range<Int>, with change: Change, _ thread: UInt)
        -> Unmanaged<Subscriber>?
    {
        var called: Unmanaged<Subscriber>?
        for index in range {
            // To count a reference would be a third of a further call.
            guard let member = self[index].map(Unmanaged.passUnretained) else { continue }
            called = member
            member._withUnsafeGuaranteedRef { member in
                member.call(thread) { member.pass(change) }
            }
        }
        return called
    }
}

/// The memory of a value that calls of an actor have notified of, on its way back to its group.
struct SpareOfCalls: ~Copyable {
    private var memory: EmptyCopy?
    private var subscriber: Subscriber?

    /// Keeps the memory of a value if nobody else holds that; outside the lock.
    @inline(__always)
    mutating func keep(_ value: consuming ValueCopy, of subscriber: Unmanaged<Subscriber>) {
        var empty = (consume value).emptied()
        guard empty != nil else { return }
        swap(&memory, &empty)
        self.subscriber = subscriber.takeUnretainedValue()
    }

    /// Gives it back.
    @inline(__always)
    mutating func giveBack(_ locked: borrowing Locked) {
        subscriber?.group?.giveBack(&memory, locked)
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
