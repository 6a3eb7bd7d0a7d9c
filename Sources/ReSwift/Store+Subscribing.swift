// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardBridge

extension Store {
    /// Notifies an object of what a subscription selects, when it changes.
    ///
    /// It works like `subscribe(_:transform:)` for values that are not `Equatable`, except that
    /// equal values are skipped unless the store was made with `automaticallySkipsRepeats: false`,
    /// or `transform` is nil.
    @inlinable
    public func subscribe<SelectedState: Equatable, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState {
        guard automaticallySkipsRepeats, let transform else { return add(subscriber, transform) }
        add(subscriber) { transform($0).skipRepeats() }
    }

    /// Makes a subscriber of an object, and notifies it of the state.
    @inlinable
    func add<SelectedState, S: StoreSubscriber>(
        _ subscriber: S, _ transform: ((Subscription<State>) -> Subscription<SelectedState>?)?
    ) where S.StoreSubscriberStateType == SelectedState {
        let key = ObjectIdentifier(subscriber)
        // A transformation may answer with a subscription of something else; then nothing is
        // pushed.
        var push: SubscriberMember.Push = { _, _ in }
        let original = Subscription<State>(isGapless: true) { observe in
            push = { old, new in
                observe(
                    old?.assumingMemoryBound(to: State.self),
                    new.assumingMemoryBound(to: State.self))
            }
        }
        Self.selection(of: original, by: transform)?.connect {
            [weak subscriber, weak subscribers] _, new in
            guard let subscriber else {
                subscribers?.removeOrphan(under: key)
                return
            }
            subscriber._newState(state: new.pointee)
        }
        let isOnMain = SubscriberRow.isOnMain
        let member = SubscriberMember(
            owner: subscriber, isOnMain: thread.isMain(addedOnMain: isOnMain), push)
        subscribers.add(member, for: key, to: onward, onMain: isOnMain)
    }

    /// What a transformation makes of a subscription; without one, the subscription itself.
    @inlinable
    static func selection<SelectedState>(
        of original: Subscription<State>,
        by transform: ((Subscription<State>) -> Subscription<SelectedState>?)?
    ) -> Subscription<SelectedState>? {
        guard let transform else {
            // Only callers whose selected state is the store's leave the transformation out.
            return original as? Subscription<SelectedState>
        }
        return transform(original)
    }
}

extension Store where State: Equatable {
    /// Notifies an object of the state at once, and when it changes; of each state if the store was
    /// made with `automaticallySkipsRepeats: false`.
    @inlinable
    public func subscribe<S: StoreSubscriber>(_ subscriber: S)
    where S.StoreSubscriberStateType == State {
        subscribe(subscriber) { $0 }
    }
}
