// SPDX-License-Identifier: MIT

/// Where the subscribers of a store are called when their library says nothing about that.
@usableFromInline
package enum DeliveryThread: Sendable {
    /// Those that subscribe on the main thread on the main actor, all others by the deliverer.
    case automatic
    /// On the main actor.
    case mainActor
    /// By the deliverer.
    case anyThread

    /// Whether the main actor calls a subscriber that was added on the main thread, or elsewhere.
    @usableFromInline
    package func isMain(addedOnMain: Bool) -> Bool {
        switch self {
        case .automatic: addedOnMain
        case .mainActor: true
        case .anyThread: false
        }
    }
}
