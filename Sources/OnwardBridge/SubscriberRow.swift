// SPDX-License-Identifier: MIT

public import Onward
internal import Synchronization

/// The subscribers of a store in the order in which they came, and how it notifies them.
///
/// Problem: a delivery of an app's state would look up the types built from those of the state and the
/// keys at each step, as the module of a library is compiled once for all apps.
///
/// Strategy: the row knows no types. States come as pointers, made where the state's type is known
/// (`watch`); keys belong to `SubscriberList`.
///
/// Members of the main actor are called only by it. When the main thread delivers, that is at once, with
/// all others in one order. What another thread delivers waits in `MainTurns`, and from then on everything
/// does until the main actor has caught up, so that nothing is overtaken.
@usableFromInline
package class SubscriberRow: @unchecked Sendable {
    @usableFromInline package typealias Member = SubscriberMember

    private struct Content {
        var order = SubscriberOrder()
        /// The store that notifies the row; others that are still notifying are no longer listened to.
        var source: Source?
        /// The subscription by which it does.
        var watch: Subscription?
    }

    /// What the main actor is to do.
    private enum Turn {
        case notify(KeptChange, mark: DeliveryMark, from: Source)
        /// Makes the first call of a member that was added elsewhere.
        case start(@Sendable () -> Void)
    }

    private let content = Guarded(Content())
    private let turns = Guarded(MainTurns<Turn>())
    /// Whether there ever was a member of the main actor.
    private let knowsMain = Atomic(false)

    @usableFromInline
    init() {}

    /// Has a store notify this row, unless one does; returns the one that notifies it, nil when that is gone.
    ///
    /// Outside the lock, as the store takes its own. So two threads may both come here; the second
    /// subscription ends at once, and what it notifies is ignored: a member is started later, with a state
    /// that includes that.
    @inlinable
    final func watch<State>(_ store: Store<BridgedState<State>>) -> Source? {
        guard let aim = aim(orElse: store) else { return nil }
        let (source, watch) = subscribe(to: aim)
        return keep(source, watch)
    }

    /// The store that is to notify this row: that of the last move, before any another.
    @usableFromInline
    final func aim<State>(
        orElse store: Store<BridgedState<State>>
    ) -> Store<BridgedState<State>>? {
        guard let source = content.withValue({ $0.source }) else { return store }
        return source.store(orElse: store)
    }

    /// A subscription of the state, compiled where its type is known.
    @inlinable
    final func subscribe<State>(
        to store: Store<BridgedState<State>>
    ) -> (Source, Subscription) {
        let source = Source(store)
        let watch = store.subscribe(
            .path(\.self), initially: false, every: everyCommit(of: store), from: nil
        ) { [weak row = self] old, new in
            guard let row, let new = new.state else { return }
            withUnsafePointer(to: new) { new in
                guard let old = old.state else { return row.notify(nil, new, from: source) }
                withUnsafePointer(to: old) { row.notify($0, new, from: source) }
            }
        }
        return (source, watch)
    }

    /// Every dispatch notifies, as in the libraries that apps come from.
    @usableFromInline
    final func everyCommit<State>(of store: Store<State>) -> EveryCommit {
        EveryCommit(limit: store.waitingCommits, keepsOldest: false)
    }

    /// Keeps the subscription, unless there is one or the row moved; returns the store that notifies it.
    @usableFromInline
    final func keep(_ source: Source, _ watch: Subscription) -> Source? {
        let present = content.withValue { content in
            if content.watch == nil, content.source?.id ?? source.id == source.id {
                content.source = source
                content.watch = watch
            }
            return content.source
        }
        if present !== source { watch.cancel() }
        return present
    }

    /// Has another store notify this row from its next member on, and changes the order at the same moment.
    @usableFromInline
    final func replace(
        with source: Source, _ body: (_ order: inout SubscriberOrder) -> Void
    ) {
        let watch = content.withValue { content in
            defer {
                content.source = source
                content.watch = nil
                body(&content.order)
            }
            return content.watch
        }
        watch?.cancel()
    }

    /// Changes the order, and under the same lock the keys; returns the store that notifies this row, nil
    /// while none does.
    @usableFromInline
    @discardableResult
    final func change(_ body: (_ order: inout SubscriberOrder) -> Void) -> Source? {
        content.withValue { content in
            body(&content.order)
            return content.watch == nil ? nil : content.source
        }
    }

    /// Says that a member comes, before any thread that delivers sees it.
    @usableFromInline
    final func expect(_ member: Member) {
        if member.isOnMain { knowsMain.store(true, ordering: .releasing) }
    }

    /// Notifies of a change; by the deliverer.
    @usableFromInline
    final func notify(
        _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer, from source: Source
    ) {
        let members = content.withValue { $0.source === source ? $0.order.members : [] }
        guard !members.isEmpty else { return }
        guard knowsMain.load(ordering: .acquiring), !mayCallMain else {
            return Self.notify(members, old, new, from: source)
        }
        guard let store = source.store, let mark = store.delivery else { return }
        enqueue(.notify(source.keep(old, new), mark: mark, from: source), source, store)
        Self.notify(members.filter { $0?.isOnMain == false }, old, new, from: source)
        if MainQueue.isCurrent { makeTurns(of: source, store, afterHop: false) }
    }

    private static func notify(
        _ members: [Member?], _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer,
        from source: Source
    ) {
        members.withUnsafeBytes { bytes in
            // The array keeps its members alive, so there is no need to count a reference for each
            // call; a reference and an unmanaged one are the same bits.
            for member in bytes.bindMemory(to: Unmanaged<Member>?.self) {
                member?._withUnsafeGuaranteedRef { $0.take(old, new, from: source) }
            }
        }
    }
}

extension SubscriberRow {
    /// Whether this thread may call members of the main actor now.
    ///
    /// By the deliverer, so no other thread adds what could be overtaken.
    private var mayCallMain: Bool {
        MainQueue.isCurrent && turns.withValue { $0.isIdle }
    }

    /// Whether this thread runs the main queue.
    @usableFromInline
    package static var isOnMain: Bool { MainQueue.isCurrent }

    /// Makes the first call of a member.
    @inlinable
    static func start<State>(
        _ member: Member, from source: Source, _ store: Store<BridgedState<State>>
    ) {
        let snapshot = store.log.snapshot
        guard let state = snapshot.state.state else {
            return member.start(
                from: source, store, with: nil, keeping: nil, at: snapshot.version)
        }
        let first = member.wantsOld ? Kept(state) : nil
        withUnsafePointer(to: state) {
            member.start(from: source, store, with: $0, keeping: first, at: snapshot.version)
        }
    }

    /// Has the main actor make the first call of a member.
    @usableFromInline
    final func startOnMain<State>(
        from source: Source, _ store: Store<BridgedState<State>>,
        _ start: @escaping @Sendable () -> Void
    ) {
        enqueue(.start(start), source, store)
    }

    private func enqueue(_ turn: Turn, _ source: Source, _ store: any SubscribedStore) {
        // Before the main actor can be done with it.
        store.beginCallback()
        // What is replaced is released outside the lock.
        var replaced: Turn?
        let (isFirst, mustHop) = turns.withValue { turns in
            let isJoined = turns.join(limit: store.waitingCommits) { last in
                guard case .notify(let earlier, _, let first) = last,
                    case .notify(let later, let mark, _) = turn, first === source
                else { return false }
                replaced = last
                last = .notify(
                    KeptChange(old: earlier.old, new: later.new), mark: mark, from: source)
                return true
            }
            let isFirst = !isJoined && turns.add(turn)
            return (isFirst, turns.mustHop())
        }
        if !isFirst { store.endCallback() }
        if mustHop { hop(source, store) }
        withExtendedLifetime(replaced) {}
    }

    /// Has the main actor make what waits.
    private func hop(_ source: Source, _ store: any SubscribedStore) {
        Task { @MainActor in makeTurns(of: source, store, afterHop: true) }
    }

    /// Makes what waits, in order; on the main actor.
    private func makeTurns(
        of source: Source, _ store: any SubscribedStore, afterHop: Bool
    ) {
        guard turns.withValue({ $0.open(afterHop: afterHop) }) else { return }
        while true {
            switch turns.withValue({ $0.next() }) {
            case .make(.start(let start)): start()
            case .make(.notify(let change, let mark, let source)):
                let members = content.withValue { content in
                    content.source === source ? content.order.members : []
                }.filter { $0?.isOnMain == true }
                store.call(as: mark.onThisThread) {
                    change.withPointers { Self.notify(members, $0, $1, from: source) }
                }
            case .later(let mustHop):
                return mustHop ? hop(source, store) : ()
            case .rest:
                return store.endCallback()
            }
        }
    }
}
