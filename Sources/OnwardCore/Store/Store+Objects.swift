// SPDX-License-Identifier: MIT

extension StateSubscriber {
    /// Has a store notify the object of the current value at once, and of changes as long as it lives, on
    /// the thread that delivers.
    ///
    /// The object is held weakly; when it goes, its subscription is dropped by the next call that would
    /// have reached it, or when about as many objects have subscribed as there are. An object may
    /// unsubscribe in its `deinit`. Subscribing again replaces the subscription.
    ///
    /// - Complexity: O(1) on average.
    public func subscribe<State>(to selection: Selection<State, Value>, of store: Store<State>)
    where Self: Sendable {
        store.subscribe(self) { registration, objects in
            store.subscribe(selection, initially: true) { [weak self, weak objects] _, new in
                guard let self else {
                    objects?.remove(registration)
                    return
                }
                newState(new)
            }
        }
    }

    /// Has a store notify an object of the main actor of the current value at once, and of changes as long
    /// as it lives, on the main actor.
    ///
    /// For objects whose conformance belongs to the main actor, and those that can't be shared. They
    /// are held as other objects are.
    ///
    /// - Complexity: O(1) on average.
    @MainActor
    public func subscribe<State>(to selection: Selection<State, Value>, of store: Store<State>) {
        store.subscribe(self) { registration, objects in
            store.subscribe(selection, initially: true) {
                @MainActor [weak self, weak objects] _, new in
                guard let self else {
                    objects?.remove(registration)
                    return
                }
                newState(new)
            }
        }
    }
}

extension Store {
    /// Ends the subscription of an object, even in its `deinit`; nothing happens if it has none.
    public func unsubscribe(_ subscriber: AnyObject) {
        engine.objects.remove(ObjectIdentifier(subscriber))
    }

    /// Subscribes for an object, in place of its last subscription.
    fileprivate func subscribe(
        _ subscriber: AnyObject,
        _ subscribe: (ObjectSubscriptions.ObjectRegistration, ObjectSubscriptions) -> Subscription
    ) {
        let objects = engine.objects
        let registration = objects.reserve(for: subscriber)
        objects.keep(subscribe(registration, objects), at: registration)
    }
}
