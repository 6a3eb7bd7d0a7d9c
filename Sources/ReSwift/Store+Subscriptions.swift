// SPDX-License-Identifier: MIT

internal import OnwardBridge

extension Store {
    /// The subscriptions of this store, for tests of apps that share one and begin anew.
    ///
    /// ```swift
    /// @testable import ReSwift
    ///
    /// store.subscriptions.removeAll()
    /// ```
    ///
    /// Not public, as it is not in ReSwift: a subclass may have a property of that name.
    ///
    /// Subscriptions left out of the new value end as by ``unsubscribe(_:)``. None is added: one
    /// that is no longer there, or belongs to another store, is ignored.
    ///
    /// - Complexity: O(*n*) in the number of subscribers.
    var subscriptions: Set<SubscriptionBox<State>> {
        get {
            Set(
                subscribers.owners.compactMap { $0 as? any AnyStoreSubscriber }
                    .map(SubscriptionBox.init))
        }
        set {
            for box in subscriptions.subtracting(newValue) {
                if let subscriber = box.subscriber { unsubscribe(subscriber) }
            }
        }
    }
}
