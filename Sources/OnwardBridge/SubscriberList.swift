// SPDX-License-Identifier: MIT

package import Onward
internal import Synchronization

/// The subscribers of a store whose library knows no tokens: each has a key, and subscribing again
/// under it replaces.
///
/// Problem: apps of such libraries have a thousand subscribers that each select something by a
/// closure, so all of them have to be asked after each commit. A subscription of Onward for each,
/// with its lock and its last value, costs several times what asking costs.
///
/// Strategy: one subscription of the whole state, made for the first subscriber, and this list. The
/// store keeps the order of values and calls the list from one thread at a time; the list keeps the
/// order of subscribers. A subscriber is called with the current value at once, by the subscribing thread;
/// what the list is told meanwhile waits in the member's backlog (see `SubscriberMember`).
///
/// Members of the main actor are called by it alone. When the main thread delivers, that is at once, with
/// all others in one order. What another thread delivers waits in `MainTurns`, and from then on everything
/// does until the main actor has caught up, so that nothing is overtaken.
package final class SubscriberList<State, Key: Hashable>: Told<State>, @unchecked Sendable {
    package typealias Member = SubscriberMember<State>

    private struct Content {
        var table = SubscriberTable<State, Key>()
        /// The subscription that tells this list, made for the first subscriber.
        var watch: Subscription?
        /// The store that tells it; others that are still telling are not heard any more.
        var source: Source?
    }

    /// A store, which is loaded outside the lock: it may go right there.
    private final class Source: Sendable {
        weak let store: Store<BridgedState<State>>?
        let id: ObjectIdentifier

        init(_ store: Store<BridgedState<State>>) {
            self.store = store
            id = ObjectIdentifier(store)
        }
    }

    /// What the main actor is to do.
    private enum Turn {
        case tell(old: State?, new: State, mark: DeliveryMark)
        /// Makes the first call of a member that was added elsewhere.
        case start(Member)
    }

    private let content = Guarded(Content())
    private let turns = Guarded(MainTurns<Turn>())
    /// Whether there ever was a member of the main actor.
    private let knowsMain = Atomic(false)

    package override init() {}

    /// How many there are, also of owners that are gone and were not noticed yet.
    package var count: Int { content.withValue { $0.table.count } }

    /// Adds a subscriber and calls it with the store's state, unless there is none yet.
    ///
    /// After a move to another store, to that one.
    package func add(
        _ member: Member, for key: Key, to store: Store<BridgedState<State>>
    ) {
        // Before anyone who delivers sees the member.
        if member.isOnMain { knowsMain.store(true, ordering: .releasing) }
        let first = Source(store)
        let (last, isWatching, source) = content.withValue { content in
            let source = content.source ?? first
            content.source = source
            return (content.table.insert(member, for: key), content.watch != nil, source)
        }
        last?.end()
        removeOrphans()
        guard let store = source.store else { return }
        if !isWatching { watch(store) }
        if member.isOnMain, !MainQueue.isCurrent {
            enqueue(.start(member), store)
        } else {
            start(member, of: store)
        }
    }

    private func start(_ member: Member, of store: Store<BridgedState<State>>) {
        let snapshot = store.snapshot
        member.start(from: snapshot.state.state, at: snapshot.version, of: store)
    }

    /// Has another store tell all that subscribed, as if they did it anew.
    package func move(to store: Store<BridgedState<State>>) {
        let source = Source(store)
        let last = content.withValue { content in
            let last = content
            content = Content(source: source)
            return last
        }
        last.watch?.cancel()
        for (key, member) in last.table.inOrder {
            member.end()
            add(member.anew(), for: key, to: store)
        }
    }

    /// Ends the calls of the subscriber under a key.
    package func remove(_ key: Key) {
        content.withValue { $0.table.remove(key) }?.end()
    }

    /// Ends the subscriber under a key if its owner is gone.
    package func removeOrphan(under key: Key) {
        guard let member = content.withValue({ $0.table[key] }), member.isOrphan else { return }
        content.withValue { $0.table.remove([key: member]) }
        member.end()
    }

    /// Ends the subscribers whose owners are gone, when there may be many of them.
    private func removeOrphans() {
        guard let all = content.withValue({ $0.table.inventory() }) else { return }
        // Outside the lock: loaded weakly, an owner may go here, and unsubscribe as it goes.
        let orphans = all.filter(\.value.isOrphan)
        content.withValue { $0.table.remove(orphans) }
        for orphan in orphans.values { orphan.end() }
    }

    /// Lets the store tell this list.
    ///
    /// Outside the lock, as the store takes its own. So two threads may both come here; the second
    /// subscription goes at once, and what is told twice is ignored.
    private func watch(_ store: Store<BridgedState<State>>) {
        let watch = store.subscribe(\.self) {
            [weak list = self as Told<State>, weak store] old, new in
            guard let list, let store, let new = new.state else { return }
            list.tell(old.state, new, store)
        }
        let extra = content.withValue { content in
            guard content.watch == nil, content.source?.id == ObjectIdentifier(store) else {
                return true
            }
            content.watch = watch
            return false
        }
        if extra { watch.cancel() }
    }

    override func tell(_ old: State?, _ new: State, _ store: Store<BridgedState<State>>) {
        guard let mark = store.delivery else { return }
        let members = content.withValue { content in
            content.source?.id == ObjectIdentifier(store) ? content.table.tell(mark.version) : []
        }
        guard !members.isEmpty else { return }
        guard knowsMain.load(ordering: .acquiring), !mayCallMain else {
            return Self.tell(members, old, new, as: mark, of: store)
        }
        enqueue(.tell(old: old, new: new, mark: mark), store)
        Self.tell(members.filter { $0?.isOnMain == false }, old, new, as: mark, of: store)
        if MainQueue.isCurrent { makeTurns(of: store, afterHop: false) }
    }

    private static func tell(
        _ members: [Member?], _ old: State?, _ new: State, as mark: DeliveryMark,
        of store: Store<BridgedState<State>>
    ) {
        withUnsafePointer(to: new) { new in
            guard let old else { return Self.tell(members, nil, new, as: mark, of: store) }
            withUnsafePointer(to: old) { Self.tell(members, $0, new, as: mark, of: store) }
        }
    }

    private static func tell(
        _ members: [Member?], _ old: UnsafePointer<State>?, _ new: UnsafePointer<State>,
        as mark: DeliveryMark, of store: Store<BridgedState<State>>
    ) {
        members.withUnsafeBytes { bytes in
            // The array keeps its members alive, so there is no need to count a reference for each
            // call; a reference and an unmanaged one are the same bits.
            for member in bytes.bindMemory(to: Unmanaged<Member>?.self) {
                member?._withUnsafeGuaranteedRef { $0.take(old, new, as: mark, of: store) }
            }
        }
    }
}

extension SubscriberList {
    /// Whether this thread may call members of the main actor now.
    ///
    /// By the deliverer, so nobody else adds what could be overtaken.
    private var mayCallMain: Bool {
        MainQueue.isCurrent && turns.withValue { $0.isIdle }
    }

    private func enqueue(_ turn: Turn, _ store: Store<BridgedState<State>>) {
        // Before the main actor can be done with it.
        store.beginCallout()
        // What is replaced goes outside the lock.
        var replaced: Turn?
        let (isFirst, mustHop) = turns.withValue { turns in
            let isJoined = turns.join(limit: store.waitingCommits) { last in
                guard case .tell(let old, _, _) = last, case .tell(_, let new, let mark) = turn
                else { return false }
                replaced = last
                last = .tell(old: old, new: new, mark: mark)
                return true
            }
            let isFirst = !isJoined && turns.add(turn)
            return (isFirst, turns.mustHop())
        }
        if !isFirst { store.endCallout() }
        if mustHop { hop(store) }
        withExtendedLifetime(replaced) {}
    }

    /// Has the main actor make what waits.
    private func hop(_ store: Store<BridgedState<State>>) {
        Task { @MainActor in makeTurns(of: store, afterHop: true) }
    }

    /// Makes what waits, in order; on the main actor.
    private func makeTurns(of store: Store<BridgedState<State>>, afterHop: Bool) {
        guard turns.withValue({ $0.open(afterHop: afterHop) }) else { return }
        while true {
            switch turns.withValue({ $0.next() }) {
            case .make(.start(let member)): start(member, of: store)
            case .make(.tell(let old, let new, let mark)):
                let members = content.withValue { content in
                    content.source?.id == ObjectIdentifier(store) ? content.table.members : []
                }.filter { $0?.isOnMain == true }
                let mark = mark.onThisThread
                store.callOut(as: mark) { Self.tell(members, old, new, as: mark, of: store) }
            case .later(let mustHop):
                return mustHop ? hop(store) : ()
            case .rest:
                return store.endCallout()
            }
        }
    }
}

/// A list without the type of its keys, which need not be `Sendable` and so must not be known to the
/// closure that the store calls.
package class Told<State>: @unchecked Sendable {  // Its one subclass guards what it has.
    package init() {}

    func tell(_ old: State?, _ new: State, _ store: Store<BridgedState<State>>) {}
}
