// SPDX-License-Identifier: MIT

/// The thread that holds the turn, as far as it calls subscribers.
struct TurnHolder {
    /// What the store's lock protects; not counted, as the thread is in the middle of a call of the engine.
    unowned(unsafe) let storage: LockedStorage
    /// What the round has collected; not counted either.
    unowned(unsafe) private let calls: CollectedCalls
    /// The engine, as frames know it.
    private let engine: UnsafeRawPointer
    let thread: UInt
    /// The actor that it runs on, as far as the compiler knows it.
    private let here: ObjectIdentifier?
    /// The mailbox of that actor, once there is a call for it.
    var mailbox: Mailbox?
    /// Whether the round has calls for that actor.
    var isCollecting = false
    /// Whether this thread has begun the job that makes them.
    var hasBegun = false
    /// Whether the groups of the round were marked by several commits.
    var isJoined = false
    /// Whether calls are brought in order before they are made.
    private var isSorting = false

    init(
        of storage: LockedStorage, _ engine: UnsafeRawPointer, _ calls: CollectedCalls,
        _ thread: UInt, here: ObjectIdentifier?
    ) {
        self.storage = storage
        self.engine = engine
        self.calls = calls
        self.thread = thread
        self.here = here
    }

    /// Calls members of a group with a change of the whole, or collects the calls for their actors.
    @inline(__always)
    mutating func call(
        _ members: [Subscriber?], with change: Change, _ context: DeliveryContext
    ) {
        var index = 0
        while index < members.count {
            // The list keeps it alive; to count a reference would be a third of a further call.
            guard let member = members[index].map(Unmanaged.passUnretained) else {
                index += 1
                continue
            }
            index = member._withUnsafeGuaranteedRef { member in
                guard member.isPlain, !isSorting else {
                    return callWithCare(member, at: index, of: members, with: change, context)
                }
                member.call(thread) { member.pass(change) }
                return index + 1
            }
        }
    }

    /// Calls a subscriber, or collects the call for its actor.
    @inline(__always)
    mutating func call(
        _ subscriber: Subscriber, with change: Change, _ context: DeliveryContext
    ) {
        guard subscriber.isPlain, !isSorting else {
            return callWithCare(subscriber, with: change, context)
        }
        subscriber.call(thread) { subscriber.pass(change) }
    }

    /// Calls a member of a group that may have an actor, with those behind it that have the same; returns the index of
    /// the next one.
    @inline(never)
    private mutating func callWithCare(
        _ member: Subscriber, at index: Int, of members: [Subscriber?], with change: Change,
        _ context: DeliveryContext
    ) -> Int {
        guard !isSorting, let mailbox = member.borrowedMailbox else {
            callWithCare(member, with: change, context)
            return index + 1
        }
        var end = index + 1
        while end < members.count, isFor(mailbox, members[end]) { end += 1 }
        mailbox._withUnsafeGuaranteedRef { mailbox in
            beginCollecting(mailbox, context)
            mailbox.collect(change, for: members, index..<end)
        }
        return end
    }

    /// Whether a member is called on the actor of a mailbox, or has left.
    private func isFor(_ mailbox: Unmanaged<Mailbox>, _ member: Subscriber?) -> Bool {
        guard let member else { return true }
        return member.borrowedMailbox?.toOpaque() == mailbox.toOpaque()
    }

    /// The same of one that is notified of a part or has an actor, and of what is brought in order.
    @inline(never)
    private mutating func callWithCare(
        _ subscriber: Subscriber, with change: Change, _ context: DeliveryContext
    ) {
        if isSorting {
            calls.unsorted.append((subscriber, change, context))
        } else if let mailbox = subscriber.mailbox {
            beginCollecting(mailbox, context)
            guard let part = subscriber.notified(of: change) else { return }
            mailbox.collect(part, for: subscriber)
        } else {
            subscriber.call(thread) {
                if let part = subscriber.notified(of: change) { subscriber.pass(part) }
            }
        }
    }

    /// Has a mailbox collect calls, to be posted when the round settles.
    @inline(__always)
    private mutating func beginCollecting(_ mailbox: Mailbox, _ context: DeliveryContext) {
        if mailbox.isCollecting {
            if isJoined { mailbox.join(context) }
            return
        }
        mailbox.beginCollecting(context)
        if self.mailbox == nil, mailbox.isCurrent(from: here) { self.mailbox = mailbox }
        if self.mailbox === mailbox {
            isCollecting = true
        } else {
            calls.mailboxes.append(mailbox)
            // What subscribers on all actors dispatch in answer is counted as one chain.
            mailbox.share(ThreadFrame.chain(of: engine))
        }
    }

    /// Keeps the calls from here on, to make them in order.
    mutating func beginSorting() { isSorting = true }

    /// The calls that were kept, in the order in which their subscribers came.
    mutating func endSorting() -> [CollectedCalls.Call] {
        isSorting = false
        var sorted: [CollectedCalls.Call] = []
        swap(&sorted, &calls.unsorted)
        if sorted.count > 1 { sorted.sort { $0.subscriber.order < $1.subscriber.order } }
        return sorted
    }
}

/// The calls of a round that are not made at once, apart from those on the holder's own actor.
///
/// It belongs to the holder of the turn, and lives as long as the store: what a holder kept itself would be released
/// with every round.
final class CollectedCalls: @unchecked Sendable {  // As said above.
    /// A call of one of several groups.
    typealias Call = (subscriber: Subscriber, change: Change, context: DeliveryContext)

    /// The calls of several groups, before they are brought in order.
    @exclusivity(unchecked) var unsorted: [Call] = []
    /// The mailboxes of other actors for which there are calls.
    @exclusivity(unchecked) var mailboxes: [Mailbox] = []
}
