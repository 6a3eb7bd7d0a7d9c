// SPDX-License-Identifier: MIT

/// What is notified in its turn among the deliveries, besides observers and subscribers.
package protocol DeliveryPart: AnyObject, Sendable {
    /// Called by the deliverer when the observers have been notified.
    func notifyBeforeSubscribers(_ context: DeliveryContext)

    /// Called by the deliverer, which runs on the actor `here`, when the subscribers have been notified.
    func notifyAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?)
}
