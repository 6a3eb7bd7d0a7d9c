// SPDX-License-Identifier: MIT

extension Store {
    /// Tells an object of the current value at once, and of changes as long as it lives.
    ///
    /// The object is held weakly; when it goes, its subscription is dropped by the next call that
    /// would have reached it, or when about as many objects have subscribed as there are. An object may
    /// unsubscribe in its `deinit`. Subscribing again replaces.
    ///
    /// - Complexity: O(1) on average.
    public func subscribe<S: StateSubscriber>(
        _ subscriber: S, to path: any KeyPath<State, S.Value> & Sendable
    ) where S.Value: Equatable {
        let objects = engine.objects
        let seat = objects.reserve(for: subscriber)
        let token = subscribe(path, initially: true) { [weak subscriber, weak objects] _, new in
            guard let subscriber else {
                objects?.remove(seat)
                return
            }
            subscriber.newState(new)
        }
        objects.keep(token, at: seat)
    }

    /// Ends the subscription of an object; nothing happens if it has none.
    public func unsubscribe(_ subscriber: AnyObject) {
        engine.objects.remove(ObjectIdentifier(subscriber))
    }
}
