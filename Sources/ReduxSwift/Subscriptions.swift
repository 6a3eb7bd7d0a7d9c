// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardBridge

/// The subscribers of a store, each under a key.
///
/// ```swift
/// let subscriptions = Subscriptions<AppState, String>()
/// let store = Store(reducer: reduce, state: nil, middlewares: [subscriptions.middleware])
/// subscriptions.subscribe(key: "title") { state in print(state) }
/// ```
///
/// They hear of states in their order and in the order in which they subscribed, by the thread that
/// delivers, one call at a time, also when one of them dispatches.
///
/// Keys and callbacks need not be `Sendable`, hence `@unchecked`. Invariant: what waits for a store is
/// touched under a lock, callbacks are called as the underlying store promises.
public final class Subscriptions<State, Key: Hashable>: @unchecked Sendable {
    private struct Seat {
        weak var store: Onward.Store<BridgedState<State>>?
        /// Who subscribed before there was a store.
        var waiting: [(key: Key, callback: (State) -> Void)] = []
    }

    private let seat = Guarded(Seat())
    private let subscribers = SubscriberList<State, Key>()

    /// Subscriptions of a store that is made with their ``middleware(store:)``.
    public init() {}

    /// Attaches these subscriptions to the store that lists them.
    public func middleware(store: Store<State>) -> (_ next: @escaping Dispatcher) -> Dispatcher {
        let waiting = seat.withValue { seat in
            seat.store = store.onward
            defer { seat.waiting = [] }
            return seat.waiting
        }
        for (key, callback) in waiting { subscribe(key: key, callback: callback) }
        return { next in next }
    }

    /// Calls back with the state at once, and after each action; subscribing again under a key
    /// replaces.
    ///
    /// Without a store yet, the first call comes when the store is made.
    public func subscribe(key: Key, callback: @escaping (State) -> Void) {
        let store = seat.withValue { seat in
            if seat.store == nil {
                seat.waiting.removeAll { $0.key == key }
                seat.waiting.append((key, callback))
            }
            return seat.store
        }
        guard let store else { return }
        let member = SubscriberMember<State>(owner: nil) { _, new in callback(new.pointee) }
        subscribers.add(member, for: key, to: store)
    }

    /// Ends the calls of a key; nothing happens if it has none.
    public func unsubscribe(key: Key) {
        seat.withValue { $0.waiting.removeAll { $0.key == key } }
        subscribers.remove(key)
    }
}
