// SPDX-License-Identifier: MIT

public import Onward

/// The subscribers of a store whose library knows no tokens: each has a key, and subscribing again
/// under it replaces the subscriber.
///
/// Problem: apps of such libraries have a thousand subscribers that each select something by a
/// closure, so all of them have to be asked after each commit. A subscription of Onward for each,
/// with its lock and its last value, costs several times what asking costs.
///
/// Strategy: one subscription of the whole state, made for the first subscriber, and this list. The
/// store keeps the order of values and calls the list from one thread at a time; the list keeps the
/// order of subscribers (`SubscriberRow`). A subscriber is called with the current value at once,
/// by the subscribing thread; what the list is notified meanwhile waits in the member's backlog
/// (see `SubscriberMember`).
///
/// Code that knows keys or the state is inlinable, so that it is compiled in the client, for its
/// types.
@usableFromInline
package final class SubscriberList<Key: Hashable>: SubscriberRow, @unchecked Sendable {
    /// The subscribers by key, which need not be `Sendable`.
    ///
    /// It changes with their order, under one lock, which is all the exclusive access it needs;
    /// checks would only find that out again whenever a subscriber comes or goes.
    @usableFromInline @exclusivity(unchecked) var table = SubscriberTable<Key>()

    @inlinable
    package override init() {}

    /// How many there are, including those of owners whose end was not noticed yet.
    package var count: Int {
        var count = 0
        change { _ in count = table.members.count }
        return count
    }

    /// The objects that the subscribers belong to, except those that are gone, in no order.
    package var owners: [AnyObject] {
        var members: [Key: Member] = [:]
        change { _ in members = table.members }
        // Outside the lock, as an owner may go here.
        return members.values.compactMap(\.owner)
    }

    /// Adds a subscriber and calls it with the store's state, unless there is none yet.
    ///
    /// After a move to another store, the subscriber is called with that store's state.
    ///
    /// - Parameters:
    ///   - member: The subscriber, which was not added before.
    ///   - key: Its key.
    ///   - store: The store; all stores of a list have states of one type.
    ///   - isOnMain: Whether this thread runs the main queue.
    @inlinable
    package func add<State>(
        _ member: Member, for key: Key, to store: Store<BridgedState<State>>,
        onMain isOnMain: Bool
    ) {
        expect(member)
        var last: Member?
        var all: [Key: Member]?
        let present = change { order in
            last = table.insert(member, for: key)
            if let last { order.remove(last) }
            order.append(member)
            all = table.inventory()
        }
        last?.end()
        if let all { removeOrphans(among: all) }
        guard let source = present ?? watch(store), let store = source.store(orElse: store)
        else { return }
        guard member.isOnMain, !isOnMain else { return Self.start(member, from: source, store) }
        startOnMain(from: source, store) { SubscriberRow.start(member, from: source, store) }
    }

    /// Makes another store notify all subscribers, as if they subscribed anew.
    @inlinable
    package func move<State>(to store: Store<BridgedState<State>>) {
        var members: [Member] = []
        var keys: [ObjectIdentifier: Key] = [:]
        replace(with: Source(store)) { order in
            members = order.removeAll()
            for (key, member) in table.members { keys[ObjectIdentifier(member)] = key }
            table = SubscriberTable()
        }
        let isOnMain = Self.isOnMain
        for member in members {
            member.end()
            guard let key = keys[ObjectIdentifier(member)] else { continue }
            add(member.anew(), for: key, to: store, onMain: isOnMain)
        }
    }

    /// Ends the calls of the subscriber under a key.
    @inlinable
    package func remove(_ key: Key) {
        var member: Member?
        change { order in
            member = table.remove(key)
            if let member { order.remove(member) }
        }
        member?.end()
    }

    /// Ends the subscriber under a key if its owner is gone.
    @usableFromInline
    package func removeOrphan(under key: Key) {
        var member: Member?
        change { _ in member = table.members[key] }
        if let member { removeOrphans(among: [key: member]) }
    }

    /// Ends those whose owners are gone.
    ///
    /// Outside the lock: loaded weakly, an owner may go here, and unsubscribe as it goes.
    @inlinable
    func removeOrphans(among all: [Key: Member]) {
        let orphans = all.filter { $0.value.isOrphan }
        change { order in
            for (key, orphan) in orphans where table.remove(orphan, for: key) {
                order.remove(orphan)
            }
        }
        for orphan in orphans.values { orphan.end() }
    }
}
