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
/// The store keeps them alive, so an app may release them. They belong to one store at a time:
/// another store made with their middleware takes them over.
///
/// They are notified of states in order, and in the order in which they subscribed, by the thread
/// that delivers, one call at a time, even when one of them dispatches.
///
/// Keys and callbacks need not be `Sendable`, hence `@unchecked`. Invariant: what waits for a store
/// is accessed under a lock; callbacks are called as the underlying store promises.
public final class Subscriptions<State, Key: Hashable>: @unchecked Sendable {
    /// Receives a state.
    public typealias Callback = (_ state: State) -> Void

    /// What was asked for before there was a store, in order.
    @usableFromInline
    struct PendingSubscription {
        let key: Key
        let isOnMain: Bool
        /// Nil for a subscriber that no longer wants to be called.
        let callback: Callback?

        @usableFromInline
        init(key: Key, isOnMain: Bool, callback: Callback?) {
            self.key = key
            self.isOnMain = isOnMain
            self.callback = callback
        }
    }

    private struct WaitingList {
        var pending: [PendingSubscription] = []
        /// How many pending subscriptions there may be before replaced ones are dropped.
        var capacity = 16
    }

    /// Changes under the lock of `waitingList` only.
    private let attached = Guarded<Attachment?>(nil)
    private let waitingList = Guarded(WaitingList())
    @usableFromInline let subscribers = SubscriberList<Key>()

    /// Makes subscriptions for a store that is made with their ``middleware(store:yield:)``.
    public init() {}

    /// Attaches these subscriptions to the store that lists them.
    public func middleware(
        store: Store<State>, yield: @escaping Dispatcher
    ) -> Dispatcher {
        let attachment = Attachment(store)
        let pending = waitingList.withValue { waitingList in
            attached.withValue { $0 = attachment }
            defer { waitingList.pending = [] }
            return waitingList.pending
        }
        subscribers.move(to: store.onward)
        for pending in Self.lasting(pending) {
            add(pending, to: store.onward, at: attachment.thread)
        }
        // The store keeps these subscriptions through this; as an object, its type needs no looking
        // up.
        let kept: AnyObject = self
        return { action in withExtendedLifetime(kept) { yield(action) } }
    }

    /// Calls back with the state at once, and after each action; subscribing again under a key
    /// replaces the subscriber.
    ///
    /// If there is no store yet, the first call comes when the store is made.
    @inlinable
    public func subscribe(key: Key, callback: @escaping Callback) {
        let isOnMain = SubscriberRow.isOnMain
        if let attachment, let store = attachment.store {
            add(callback, for: key, to: store, at: attachment.thread, isOnMain)
        } else {
            subscribe(with: PendingSubscription(key: key, isOnMain: isOnMain, callback: callback))
        }
    }

    /// Subscribes to the store that is there, or notes a pending subscription for a later one.
    @usableFromInline
    func subscribe(with pending: PendingSubscription) {
        while let attachment = attachment(orElse: pending) {
            if let store = attachment.store {
                return add(pending, to: store, at: attachment.thread)
            }
            leave(attachment)
        }
    }

    /// Ends the calls for a key; does nothing if there are none.
    @inlinable
    public func unsubscribe(key: Key) {
        let present =
            attachment
            ?? attachment(orElse: PendingSubscription(key: key, isOnMain: false, callback: nil))
        if present != nil { subscribers.remove(key) }
    }

    private func add(
        _ pending: PendingSubscription, to store: AnyObject, at thread: DeliveryThread
    ) {
        guard let callback = pending.callback else { return }
        add(callback, for: pending.key, to: store, at: thread, pending.isOnMain)
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

    /// Where the store is; before there is one, notes a pending subscription.
    @usableFromInline
    func attachment(orElse pending: PendingSubscription) -> Attachment? {
        let (attachment, overflow) = waitingList.withValue {
            waitingList -> (Attachment?, [PendingSubscription]) in
            if let present = self.attachment { return (present, []) }
            waitingList.pending.append(pending)
            guard waitingList.pending.count > waitingList.capacity else { return (nil, []) }
            defer { waitingList.pending = [] }
            return (nil, waitingList.pending)
        }
        if !overflow.isEmpty { putBack(Self.lasting(overflow)) }
        return attachment
    }

    /// Leaves a store that is gone, for a later one.
    private func leave(_ attachment: Attachment) {
        waitingList.withValue { _ in
            attached.withValue { if $0 === attachment { $0 = nil } }
        }
    }

    /// Puts pending subscriptions before those that came meanwhile.
    private func putBack(_ pending: [PendingSubscription]) {
        let attachment = waitingList.withValue { waitingList in
            if self.attachment == nil {
                waitingList.pending.insert(contentsOf: pending, at: 0)
                waitingList.capacity = max(16, 2 * waitingList.pending.count)
            }
            return self.attachment
        }
        guard let attachment, let store = attachment.store else { return }
        for pending in pending { add(pending, to: store, at: attachment.thread) }
    }

    /// The last pending subscription for each key; keys are compared here, outside the lock.
    private static func lasting(_ pending: [PendingSubscription]) -> [PendingSubscription] {
        var keys: Set<Key> = []
        return pending.reversed().filter { keys.insert($0.key).inserted && $0.callback != nil }
            .reversed()
    }
}
