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
/// The store keeps them alive, so an app may let go of them. They belong to one store at a time: another one
/// that is made with their middleware takes them over.
///
/// They hear of states in their order and in the order in which they subscribed, by the thread that
/// delivers, one call at a time, also when one of them dispatches.
///
/// Keys and callbacks need not be `Sendable`, hence `@unchecked`. Invariant: what waits for a store is
/// touched under a lock, callbacks are called as the underlying store promises.
public final class Subscriptions<State, Key: Hashable>: @unchecked Sendable {
    /// Takes a state.
    public typealias Callback = (_ state: State) -> Void

    /// What was asked for before there was a store, in order.
    private struct Wish {
        let key: Key
        let isOnMain: Bool
        /// Nil for one who does not want to be called any more.
        let callback: Callback?
    }

    /// The store, which is loaded outside the lock: it may go right there.
    private final class Attachment: Sendable {
        weak let store: Onward.Store<BridgedState<State>>?
        let place: CallPlace

        init(_ store: Store<State>) {
            self.store = store.onward
            place = store.place
        }
    }

    private struct Seat {
        var attachment: Attachment?
        var wishes: [Wish] = []
        /// How many wishes there may be before those that others replaced are dropped.
        var roof = 16
    }

    private let seat = Guarded(Seat())
    private let subscribers = SubscriberList<State, Key>()

    /// Subscriptions of a store that is made with their ``middleware(store:yield:)``.
    public init() {}

    /// Attaches these subscriptions to the store that lists them.
    public func middleware(
        store: Store<State>, yield: @escaping Dispatcher
    ) -> Dispatcher {
        let attachment = Attachment(store)
        let wishes = seat.withValue { seat in
            seat.attachment = attachment
            defer { seat.wishes = [] }
            return seat.wishes
        }
        subscribers.move(to: store.onward)
        for wish in Self.lasting(wishes) { add(wish, to: store.onward, at: attachment.place) }
        // What the store keeps keeps these subscriptions.
        return { action in withExtendedLifetime(self) { yield(action) } }
    }

    /// Calls back with the state at once, and after each action; subscribing again under a key
    /// replaces.
    ///
    /// Without a store yet, the first call comes when the store is made.
    public func subscribe(key: Key, callback: @escaping Callback) {
        let wish = Wish(key: key, isOnMain: MainQueue.isCurrent, callback: callback)
        while let attachment = attachment(orElse: wish) {
            if let store = attachment.store { return add(wish, to: store, at: attachment.place) }
            leave(attachment)
        }
    }

    /// Ends the calls of a key; nothing happens if it has none.
    public func unsubscribe(key: Key) {
        if attachment(orElse: Wish(key: key, isOnMain: false, callback: nil)) != nil {
            subscribers.remove(key)
        }
    }

    private func add(
        _ wish: Wish, to store: Onward.Store<BridgedState<State>>, at place: CallPlace
    ) {
        guard let callback = wish.callback else { return }
        let member = SubscriberMember<State>(
            owner: nil, isOnMain: place.isMain(addedOnMain: wish.isOnMain)
        ) { _, new in callback(new.pointee) }
        subscribers.add(member, for: wish.key, to: store)
    }

    /// Where the store is; before there is one, notes a wish.
    private func attachment(orElse wish: Wish) -> Attachment? {
        let (attachment, crowd) = seat.withValue { seat -> (Attachment?, [Wish]) in
            if let attachment = seat.attachment { return (attachment, []) }
            seat.wishes.append(wish)
            guard seat.wishes.count > seat.roof else { return (nil, []) }
            defer { seat.wishes = [] }
            return (nil, seat.wishes)
        }
        if !crowd.isEmpty { putBack(Self.lasting(crowd)) }
        return attachment
    }

    /// Leaves a store that is gone, for one that comes.
    private func leave(_ attachment: Attachment) {
        seat.withValue { seat in
            if seat.attachment === attachment { seat.attachment = nil }
        }
    }

    /// Puts wishes before those that came meanwhile.
    private func putBack(_ wishes: [Wish]) {
        let attachment = seat.withValue { seat in
            if seat.attachment == nil {
                seat.wishes.insert(contentsOf: wishes, at: 0)
                seat.roof = max(16, 2 * seat.wishes.count)
            }
            return seat.attachment
        }
        guard let attachment, let store = attachment.store else { return }
        for wish in wishes { add(wish, to: store, at: attachment.place) }
    }

    /// The last wish for each key; keys are compared here, outside the lock.
    private static func lasting(_ wishes: [Wish]) -> [Wish] {
        var keys: Set<Key> = []
        return wishes.reversed().filter { keys.insert($0.key).inserted && $0.callback != nil }
            .reversed()
    }
}
