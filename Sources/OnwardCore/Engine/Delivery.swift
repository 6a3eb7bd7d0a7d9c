// SPDX-License-Identifier: MIT

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

    /// Called by the deliverer, which runs on the actor `here`, when the subscribers have been notified.
    func notifyAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?)
}

/// Who responds to an action, which is that of the thread that has committed it and makes the delivery.
struct Response: ~Copyable {
    let participant: any RespondingParticipant
    let route: Route
}

/// A call that is due apart from any commit.
final class ExtraCall: DeliveryPart {
    private let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) {
        self.call = call
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {}

    func notifyAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?) { call() }
}

/// The tasks that wait until a commit has been notified, each with its commit: a pure machine.
///
/// A commit that is held, to be notified with others as one, has no version to wait for until it is known which
/// others these are.
struct DeliveryWaiters: ~Copyable {
    typealias Waiter = CheckedContinuation<Void, Never>

    private var waiters: [(version: Version?, waiter: Waiter)] = []

    var isEmpty: Bool { waiters.isEmpty }

    /// Adds a task that waits for a version; nil when its commit is held.
    mutating func add(_ waiter: Waiter, for version: Version?) {
        waiters.append((version, waiter))
    }

    /// Notes the version as which the held commits will be notified.
    mutating func sealed(as version: Version) {
        for index in waiters.indices where waiters[index].version == nil {
            waiters[index].version = version
        }
    }

    /// Takes the tasks whose commits have been notified; `oldestUnnotified` is nil when all that are not held have
    /// been.
    mutating func take(before oldestUnnotified: Version?) -> [Waiter] {
        func isNotified(_ version: Version?) -> Bool {
            version.map { $0 < oldestUnnotified ?? .max } ?? false
        }
        let notified = waiters.filter { isNotified($0.version) }
        waiters.removeAll { isNotified($0.version) }
        return notified.map(\.waiter)
    }
}
