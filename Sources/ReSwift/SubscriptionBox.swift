// SPDX-License-Identifier: MIT

/// A subscriber of a store, as ``Store/subscriptions`` lists it.
struct SubscriptionBox<State>: Hashable {
    private let id: ObjectIdentifier
    /// Who is notified; nil once the object is gone.
    private(set) weak var subscriber: (any AnyStoreSubscriber)?

    init(_ subscriber: any AnyStoreSubscriber) {
        id = ObjectIdentifier(subscriber)
        self.subscriber = subscriber
    }

    static func == (left: Self, right: Self) -> Bool { left.id == right.id }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
