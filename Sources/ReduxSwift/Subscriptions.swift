// SPDX-License-Identifier: MIT

public import Onward
public import OnwardBridge

/// The subscribers of a store, each under a key.
///
/// ```swift
/// let subscriptions = Subscriptions<AppState, String>()
/// let store = Store(reducer: reduce, state: nil, middlewares: [subscriptions.middleware])
/// subscriptions.subscribe(key: "title") { state in print(state) }
/// ```
///
/// The store keeps them alive, so an app may release them. They belong to one store at a time: another store
/// that is made with their middleware takes them over.
///
/// They are told of states in their order and in the order in which they subscribed, by the thread that
/// delivers, one call at a time, even when one of them dispatches.
///
/// Keys and callbacks need not be `Sendable`, hence `@unchecked`. Invariant: what waits for a store is
/// touched under a lock, callbacks are called as the underlying store promises.
public final class Subscriptions<State, Key: Hashable>: @unchecked Sendable {
    /// Takes a state.
    public typealias Callback = (_ state: State) -> Void

    /// What was asked for before there was a store, in order.
    @usableFromInline
    struct Wish {
        let key: Key
        let isOnMain: Bool
        /// Nil for a subscriber that does not want to be called any more.
        let callback: Callback?

        @usableFromInline
        init(key: Key, isOnMain: Bool, callback: Callback?) {
            self.key = key
            self.isOnMain = isOnMain
            self.callback = callback
        }
    }

    private struct WaitingList {
        var wishes: [Wish] = []
        /// How many wishes there may be before those that others replaced are dropped.
        var roof = 16
    }

    /// Changes under the lock of `waitingList` only.
    private let attached = Guarded<Attachment?>(nil)
    private let waitingList = Guarded(WaitingList())
    @usableFromInline let subscribers = SubscriberList<Key>()

    /// Subscriptions of a store that is made with their ``middleware(store:yield:)``.
    public init() {}

    /// Attaches these subscriptions to the store that lists them.
    public func middleware(
        store: Store<State>, yield: @escaping Dispatcher
    ) -> Dispatcher {
        let attachment = Attachment(store)
        let wishes = waitingList.withValue { waitingList in
            attached.withValue { $0 = attachment }
            defer { waitingList.wishes = [] }
            return waitingList.wishes
        }
        subscribers.move(to: store.onward)
        for wish in Self.lasting(wishes) { add(wish, to: store.onward, at: attachment.thread) }
        // What the store keeps keeps these subscriptions; as an object, whose type needs no looking up.
        let kept: AnyObject = self
        return { action in withExtendedLifetime(kept) { yield(action) } }
    }

    /// Calls back with the state at once, and after each action; subscribing again under a key replaces the
    /// subscriber.
    ///
    /// Without a store yet, the first call comes when the store is made.
    @inlinable
    public func subscribe(key: Key, callback: @escaping Callback) {
        let isOnMain = SubscriberRow.isOnMain
        if let attachment, let store = attachment.store {
            add(callback, for: key, to: store, at: attachment.thread, isOnMain)
        } else {
            subscribe(with: Wish(key: key, isOnMain: isOnMain, callback: callback))
        }
    }

    /// Subscribes with the store that is there, or notes the wish for one that comes.
    @usableFromInline
    func subscribe(with wish: Wish) {
        while let attachment = attachment(orElse: wish) {
            if let store = attachment.store { return add(wish, to: store, at: attachment.thread) }
            leave(attachment)
        }
    }

    /// Ends the calls of a key; nothing happens if it has none.
    @inlinable
    public func unsubscribe(key: Key) {
        let present =
            attachment
            ?? attachment(orElse: Wish(key: key, isOnMain: false, callback: nil))
        if present != nil { subscribers.remove(key) }
    }

    private func add(
        _ wish: Wish, to store: AnyObject, at thread: DeliveryThread
    ) {
        guard let callback = wish.callback else { return }
        add(callback, for: wish.key, to: store, at: thread, wish.isOnMain)
    }

    @inlinable
    func add(
        _ callback: @escaping Callback, for key: Key, to store: AnyObject,
        at thread: DeliveryThread, _ isOnMain: Bool
    ) {
        let member = SubscriberMember(
            owner: nil, isOnMain: thread.isMain(addedOnMain: isOnMain), wantsOld: false
        ) { _, new in callback(new.assumingMemoryBound(to: State.self).pointee) }
        // Only stores of this type are attached.
        let store = unsafeDowncast(store, to: Onward.Store<BridgedState<State>>.self)
        subscribers.add(member, for: key, to: store, onMain: isOnMain)
    }

    /// Where the store is; nil before there is one.
    @usableFromInline
    var attachment: Attachment? { attached.withValue { $0 } }

    /// Where the store is; before there is one, notes a wish.
    @usableFromInline
    func attachment(orElse wish: Wish) -> Attachment? {
        let (attachment, crowd) = waitingList.withValue { waitingList -> (Attachment?, [Wish]) in
            if let present = self.attachment { return (present, []) }
            waitingList.wishes.append(wish)
            guard waitingList.wishes.count > waitingList.roof else { return (nil, []) }
            defer { waitingList.wishes = [] }
            return (nil, waitingList.wishes)
        }
        if !crowd.isEmpty { putBack(Self.lasting(crowd)) }
        return attachment
    }

    /// Leaves a store that is gone, for one that comes.
    private func leave(_ attachment: Attachment) {
        waitingList.withValue { _ in
            attached.withValue { if $0 === attachment { $0 = nil } }
        }
    }

    /// Puts wishes before those that came meanwhile.
    private func putBack(_ wishes: [Wish]) {
        let attachment = waitingList.withValue { waitingList in
            if self.attachment == nil {
                waitingList.wishes.insert(contentsOf: wishes, at: 0)
                waitingList.roof = max(16, 2 * waitingList.wishes.count)
            }
            return self.attachment
        }
        guard let attachment, let store = attachment.store else { return }
        for wish in wishes { add(wish, to: store, at: attachment.thread) }
    }

    /// The last wish for each key; keys are compared here, outside the lock.
    private static func lasting(_ wishes: [Wish]) -> [Wish] {
        var keys: Set<Key> = []
        return wishes.reversed().filter { keys.insert($0.key).inserted && $0.callback != nil }
            .reversed()
    }
}
