// SPDX-License-Identifier: MIT

/// What one commit has to notify; it is passed on and never copied.
struct Delivery: ~Copyable {
    let context: DeliveryContext
    /// The first commit of those that are delivered as one with this one.
    var first: Version
    /// The groups whose selection may have changed.
    var groups: [SubscriberGroup] = []
    /// What attachments have notified in this turn; usually empty.
    var parts: [any DeliveryPart]

    init(
        _ context: DeliveryContext, groups: [SubscriberGroup] = [],
        parts: [any DeliveryPart] = []
    ) {
        self.context = context
        first = context.version
        self.groups = groups
        self.parts = parts
    }

    /// Whether there is anything to notify.
    var hasContent: Bool { !parts.isEmpty || !groups.isEmpty }
}

/// The commit that a delivery reports, as far as each of its calls needs it.
package struct DeliveryContext {
    package let version: Version
    /// The last listener that had come by then; later ones have seen the commit already.
    let lastListener: UInt64
    /// How many deliveries led to the commit.
    var generation = 0
    /// The actions that led to the commit; kept only near the limit.
    var cause: DispatchChain?

    /// Whether the commit is notified to a listener.
    func concerns(_ listener: Listener) -> Bool { listener.order <= lastListener }
}
