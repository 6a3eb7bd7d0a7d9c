// SPDX-License-Identifier: MIT

extension Store {
    /// Tells an object of the current value at once, and of changes as long as it lives, on the thread
    /// that delivers.
    ///
    /// The object is held weakly; when it goes, its subscription is dropped by the next call that
    /// would have reached it, or when about as many objects have subscribed as there are. An object may
    /// unsubscribe in its `deinit`. Subscribing again replaces.
    ///
    /// - Complexity: O(1) on average.
    public func subscribe<S: StateSubscriber & Sendable>(
        _ subscriber: S, to path: any KeyPath<State, S.Value> & Sendable
    ) where S.Value: Equatable {
        subscribe(subscriber) { seat, objects in
            subscribe(path, initially: true) { [weak subscriber, weak objects] _, new in
                guard let subscriber else {
                    objects?.remove(seat)
                    return
                }
                subscriber.newState(new)
            }
        }
    }

    /// Tells an object of the main actor of the current value at once, and of changes as long as it
    /// lives, on the main actor.
    ///
    /// For objects whose conformance belongs to the main actor, and those that can't be shared. They
    /// are held as other objects are.
    ///
    /// - Complexity: O(1) on average.
    @MainActor
    public func subscribe<S: StateSubscriber>(
        _ subscriber: S, to path: any KeyPath<State, S.Value> & Sendable
    ) where S.Value: Equatable {
        subscribe(subscriber) { seat, objects in
            subscribe(path, initially: true) { @MainActor [weak subscriber, weak objects] _, new in
                guard let subscriber else {
                    objects?.remove(seat)
                    return
                }
                subscriber.newState(new)
            }
        }
    }

    /// Ends the subscription of an object; nothing happens if it has none.
    public func unsubscribe(_ subscriber: AnyObject) {
        engine.objects.remove(ObjectIdentifier(subscriber))
    }

    /// Subscribes for an object, in place of its last subscription.
    private func subscribe(
        _ subscriber: AnyObject,
        _ subscribe: (ObjectSubscriptions.Seat, ObjectSubscriptions) -> Subscription
    ) {
        let objects = engine.objects
        let seat = objects.reserve(for: subscriber)
        objects.keep(subscribe(seat, objects), at: seat)
    }
}
