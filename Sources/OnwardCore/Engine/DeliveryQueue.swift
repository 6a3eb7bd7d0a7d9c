// SPDX-License-Identifier: MIT

internal import DequeModule

/// The deliveries of a store that have not been made, and the thread that makes them: a pure
/// machine.
///
/// Problem: every commit has to be notified in order, one call at a time, without holding the lock
/// during calls, without stacking deliveries when a subscriber dispatches, without any thread
/// delivering for others forever, and within bounds when subscribers are slow.
///
/// Strategy: a queue and one deliverer. A commit appends; if no thread delivers, its own does,
/// until its own commits are notified, and then hands what is left to another thread: the next one
/// that commits, or one that was started for it, whichever comes first. While a batch is
/// open or the queue is full, the machine *holds*: it only notes which groups are dirty and turns
/// them into one delivery afterwards. While a
/// batch is open no thread delivers at all; the thread that closes it does.
struct DeliveryQueue: ~Copyable {
    private var queue = UniqueDeque<Delivery>()
    /// What attachments have to report of commits that are held.
    private var held = UniqueDeque<Delivery>()
    private var dirty: [SubscriberGroup] = []
    /// The newest commit that made a group dirty.
    private var newest: Delivery?
    /// The first commit that is held; 0 when none is.
    private var firstHeld: Version = 0
    /// The batches that are open.
    private var batches = 0
    private var isFull = false
    private var deliverer: UInt = 0
    /// The version that is being notified, the first of several that are delivered as one; 0 when
    /// none is.
    private var notification: Version = 0
    /// Whether what is left waits for a thread that was started for it.
    private var handedOver = false
    /// The newest commit by the delivering thread; it delivers no further than that.
    private var ownUpTo: Version = 0
    /// The chains of commits that were joined with later ones, to be released outside the lock.
    private var replaced: [DispatchChain] = []
    private let limit: Int
    private let queuesAll: Bool

    /// Whether stores made meanwhile queue every delivery: for tests, which run both ways.
    @TaskLocal static var queuesAll = false

    init(limit: Int) {
        self.limit = max(limit, 1)
        queuesAll = Self.queuesAll
    }

    /// What the delivering thread does next.
    enum Step: ~Copyable {
        /// Makes this delivery, outside the lock.
        case deliver(Delivery)
        /// Captures the dirty groups and adds them as one delivery.
        case join
        /// Lets another thread go on.
        case handOver
        /// Stops; there is nothing left.
        case rest
    }

    /// Whether commits are joined instead of being queued one by one.
    var isHolding: Bool {
        @inline(__always) get { batches > 0 || isFull }
    }

    /// Whether the next commit is delivered at once by its own thread.
    var isFree: Bool {
        @inline(__always) get {
            deliverer == 0 && !isHolding && !handedOver && queue.isEmpty && !queuesAll
        }
    }

    /// Whether nothing waits and no thread delivers.
    var isIdle: Bool {
        queue.isEmpty && held.isEmpty && dirty.isEmpty && deliverer == 0 && !handedOver
    }

    /// Whether all that was committed has been notified.
    var hasNotifiedAll: Bool { queue.isEmpty && held.isEmpty && dirty.isEmpty && notification == 0 }

    /// The oldest version that has not been notified; nil when there is none, or when it is held.
    var oldestUnnotified: Version? {
        if notification > 0 { return notification }
        return queue.isEmpty ? nil : queue[0].first
    }

    /// Adds a delivery whose groups have captured their values.
    mutating func append(_ delivery: consuming Delivery) {
        queue.append(delivery)
        if queue.count >= limit { isFull = true }
    }

    /// Notes a commit while holding.
    mutating func hold(_ delivery: consuming Delivery) {
        if firstHeld == 0 { firstHeld = delivery.context.version }
        for group in delivery.groups {
            if !group.isDirty { dirty.append(group) }
            group.held = delivery.context.version
        }
        if !delivery.groups.isEmpty {
            if let chain = newest?.context.chain, chain !== delivery.context.chain {
                replaced.append(chain)
            }
            newest = Delivery(delivery.context)
        }
        if !delivery.parts.isEmpty {
            delivery.groups = []
            held.append(delivery)
        }
    }

    mutating func openBatch() {
        batches += 1
    }

    /// Closes a batch; true when the dirty groups have to be sealed now.
    mutating func closeBatch() -> Bool {
        batches -= 1
        // The last deliverer left what is held to this batch.
        if batches == 0, queue.isEmpty { isFull = false }
        return !isHolding
    }

    /// Ends holding: the one delivery for all dirty groups, which the caller captures, marks as
    /// clean and appends.
    ///
    /// `rest` gets what is to be released outside the lock.
    mutating func endHolding(releasing rest: inout [DispatchChain]) -> Delivery? {
        swap(&rest, &replaced)
        let first = firstHeld
        firstHeld = 0
        // Their subscribers are notified with the last of them, so until then all of them are
        // unnotified.
        while var entry = held.popFirst() {
            entry.first = first
            queue.append(entry)
        }
        isFull = false
        guard var delivery = newest.take() else { return nil }
        delivery.first = first
        swap(&delivery.groups, &dirty)
        return delivery
    }

    /// Makes the thread the deliverer of a commit of its own that need not wait, as nobody
    /// delivers; else false.
    mutating func claim(_ thread: UInt, alone version: Version) -> Bool {
        guard isFree else { return false }
        deliverer = thread
        ownUpTo = version
        notification = version
        return true
    }

    /// Makes the thread the deliverer of a commit of its own; false when there is nothing to do or
    /// someone else, or the same thread further out, does it.
    mutating func claim(_ thread: UInt, upTo version: Version) -> Bool {
        if deliverer == thread {
            ownUpTo = max(ownUpTo, version)
            return false
        }
        guard deliverer == 0, batches == 0, !queue.isEmpty else { return false }
        handedOver = false
        deliverer = thread
        ownUpTo = version
        return true
    }

    /// Makes the thread the deliverer of what was handed over; false when a thread that committed
    /// took it up.
    mutating func resume(_ thread: UInt) -> Bool {
        guard handedOver else { return false }
        handedOver = false
        deliverer = thread
        // A turn is bounded, so that no thread of the pool is kept forever.
        ownUpTo = (queue.isEmpty ? 0 : queue[0].context.version) + 1_000
        return true
    }

    /// Adds something that is due apart from any commit, for the deliverer; true if there is no
    /// deliverer yet, so that the caller has to make some thread resume.
    mutating func append(apart delivery: consuming Delivery) -> Bool {
        append(delivery)
        // The thread that closes the batch goes on with it.
        guard deliverer == 0, !handedOver, batches == 0 else { return false }
        handedOver = true
        return true
    }

    /// Notes that what was delivered last has been notified.
    mutating func settle() { notification = 0 }

    /// What the deliverer does next.
    mutating func next() -> Step {
        // The thread that closes the batch goes on.
        guard batches == 0 else {
            deliverer = 0
            return .rest
        }
        guard !queue.isEmpty else {
            if isFull { return .join }
            deliverer = 0
            return .rest
        }
        guard queue[0].context.version <= ownUpTo else {
            deliverer = 0
            handedOver = true
            return .handOver
        }
        notification = queue[0].first
        return .deliver(queue.removeFirst())
    }
}

/// What one commit has to notify of; it is passed on and never copied.
struct Delivery: ~Copyable {
    let context: DeliveryContext
    /// The first commit of those that are notified of as one with this one.
    var first: Version
    /// The groups whose selection may have changed.
    var groups: [SubscriberGroup]
    /// The state from which groups compute their values, where nothing waited.
    var root: RootCopy?
    /// What attachments have to do in this turn; usually empty.
    var parts: [any DeliveryPart]
    /// The participant that responds to the action, where nothing waited.
    var response: Response?

    init(
        _ context: DeliveryContext, groups: [SubscriberGroup] = [], parts: [any DeliveryPart] = []
    ) {
        self.context = context
        first = context.version
        self.groups = groups
        self.parts = parts
    }

    /// Whether there is anything to do.
    var hasContent: Bool { !parts.isEmpty || !groups.isEmpty || response != nil }
}

/// The commit that a delivery notifies of, as far as each of its calls needs it.
package struct DeliveryContext {
    package let version: Version
    /// The last listener that had come by then; later ones have seen the commit already.
    let lastListener: UInt64
    /// How many deliveries led to the commit.
    var generation = 0
    /// The actions that led to the commit; kept only near the limit.
    var chain: DispatchChain?

    /// Whether a listener is notified of the commit.
    func concerns(_ listener: Listener) -> Bool { listener.order <= lastListener }
}

/// What is done in its turn among the deliveries, besides calling subscribers.
package protocol DeliveryPart: AnyObject, Sendable {
    /// Called by the deliverer before the subscribers.
    func notifyBeforeSubscribers(_ context: DeliveryContext)

    /// Called by the deliverer, which runs on the actor `here`, when the subscribers have been
    /// notified.
    func notifyAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?)
}

/// Who responds to an action, on the thread that has committed it and makes the delivery.
struct Response: ~Copyable {
    let participant: any RespondingParticipant
    let route: Route
}
