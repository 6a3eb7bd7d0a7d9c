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
    var cause: DispatchChain?

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

/// Who responds to an action, and to which.
///
/// The thread that has committed the action keeps it until it has made the delivery.
struct Response: ~Copyable {
    let participant: any RespondingParticipant
    let route: Route
    let type: any Action.Type
    let action: UnsafeRawPointer
    let address: Address
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
