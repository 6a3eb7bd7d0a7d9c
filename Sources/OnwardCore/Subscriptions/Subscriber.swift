// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the store's lock. What ``register(in:_:_:_:)`` sets never changes
/// afterwards.
@usableFromInline
package class Subscriber: Listener, @unchecked Sendable {
    /// Whether it is called in the plain way: by the deliverer, with every change of its group.
    ///
    /// Only then `extras` may come later.
    @exclusivity(unchecked) private final var isPlain = true
    /// The position among the members of a `ValueGroup`.
    @exclusivity(unchecked) final var slot: Int32 = 0
    @exclusivity(unchecked) private(set) final var group: SubscriberGroup?

    @usableFromInline
    package override init() {}

    /// Takes its place; once, before anyone else knows the subscriber.
    final func register(
        in group: SubscriberGroup, _ mailbox: Mailbox?, _ policy: DeliveryPolicy,
        _ host: any SubscriberHost
    ) {
        self.group = group
        switch policy {
        case .every:
            guard mailbox != nil || isNotifiedOfPart else { return }
            extras = ListenerExtras(mailbox)
        case .latest:
            extras = ListenerExtras(mailbox, nil, ChangeCoalescer(isSame))
        case .atMostOnce(let duration):
            let coalescer = mailbox.map { _ in ChangeCoalescer(isSame, keepsFirst: true) }
            extras = ListenerExtras(mailbox, Throttle(duration, isSame, host), coalescer)
        }
        isPlain = false
    }

    /// How it is called, when that is not the plain way.
    private final var callExtras: ListenerExtras? {
        @inline(__always) get { isPlain ? nil : extras }
    }

    /// Whether it is notified only a part of what its group notifies.
    var isNotifiedOfPart: Bool { false }

    /// Whether two values that it is notified are the same; nil where no two are.
    var isSame: Change.IsSame? { group?.isSame }

    /// What it is notified of a change that its group notifies; nil when that is not news to it.
    func notified(of change: Change) -> Change? { change }

    /// Notifies two values of the type that is watched.
    @usableFromInline
    func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {}

    /// Where calls on an actor wait; nil for a subscriber without isolation.
    package final var mailbox: Mailbox? { callExtras?.mailbox }

    @inline(__always)
    private final func pass(_ change: Change) {
        change.withPointers { notify($0, $1) }
    }

    // MARK: Without isolation

    /// Notifies of a change as the policy says; by the holder of the right to call.
    @inline(__always)
    final func call(_ change: Change, _ host: any SubscriberHost) {
        guard !isPlain else { return pass(change) }
        callWithExtras(change, host)
    }

    @inline(never)
    private final func callWithExtras(_ change: Change, _ host: any SubscriberHost) {
        guard let callExtras else { return }
        // What waits may be due although this brings nothing new.
        guard let change = notified(of: change) else { return callWithNewest(host) }
        if let throttle = callExtras.throttle { return throttle.offer(change, to: self, pass) }
        guard let coalescer = callExtras.coalescer else { return pass(change) }
        _ = coalescer.join(change)
        callWithNewest(host)
    }

    /// Makes the call that is due apart from a new change: after a pause, or with the newest value when
    /// the group has caught up; by the holder of the right to call.
    override func callWithDue(_ host: any SubscriberHost) {
        if let throttle = callExtras?.throttle { return throttle.takePause(of: self, pass) }
        callWithNewest(host)
    }

    private final func callWithNewest(_ host: any SubscriberHost) {
        guard let coalescer = callExtras?.coalescer, !host.mustCatchUp(self) else { return }
        coalescer.take(pass)
    }

    override func call(with late: Backlog<LateChange>.Late, _ host: any SubscriberHost) {
        let change = late.call.change
        if change.isRepeat(by: late.call.isSame) { return }
        ThreadFrame.push(
            engine: host.id, version: late.mark.version, generation: late.mark.generation,
            cause: late.mark.cause
        ) { call(change, host) }
    }

    /// Leaves a change for the end of the first call; returns what is to be released.
    ///
    /// By the deliverer of the group.
    final func leave(
        _ change: Change, as mark: DeliveryMark, in backlog: inout Backlog<LateChange>,
        limit: Int
    ) -> Backlog<LateChange>.Late? {
        // A subscriber that does not want every change is notified of what came meanwhile as one change.
        let wantsEvery = callExtras?.throttle == nil && callExtras?.coalescer == nil
        let limit = wantsEvery ? limit : 1
        return backlog.add(LateChange(change: change), as: mark, limit: limit) { earlier, later in
            LateChange(change: earlier.change.joined(with: later.change), isSame: group?.isSame)
        }
    }

    // MARK: On an actor

    /// A call with a change, to be made on the actor; nil when there is no need of one.
    ///
    /// By the deliverer of the group. When `limit` calls wait for the actor, this call is joined with
    /// those that follow.
    final func actorCall(
        with change: Change, to mailbox: Mailbox, limit: Int
    ) -> (@Sendable () -> Void)? {
        guard let change = notified(of: change) else { return nil }
        let policy = callExtras?.coalescer
        guard let coalescer = policy ?? mailbox.coalescer(for: self, limit: limit, isSame) else {
            return { [self] in pass(change) }
        }
        // What is newest when the call is made counts.
        guard coalescer.join(change) else { return nil }
        guard let throttle = callExtras?.throttle else { return { [self] in coalescer.take(pass) } }
        return { [self] in coalescer.take { throttle.offer($0, to: self, pass) } }
    }

    /// Whether every change is notified, when it comes.
    final var isCalledWithEvery: Bool {
        callExtras?.throttle == nil && callExtras?.coalescer == nil
    }

    /// Makes a call on the actor, which no other thread makes at the same time, unless it was cancelled.
    final func callOnActor(_ change: Change, _ thread: UInt) {
        if beginAlone(thread) {
            pass(change)
            return endAlone(thread)
        }
        guard begin() else { return }
        pass(change)
        end()
    }

    /// Makes the first call, whatever the policy.
    final func callFirst(with value: ValueCopy) {
        guard let change = notified(of: Change(from: value, to: value)) else { return }
        pass(change)
    }

    // MARK: As a listener

    override var host: (any SubscriberHost)? { group?.host }

    package override func held(_ locked: borrowing Locked) -> Version { group?.held ?? 0 }

    @usableFromInline
    override func release() {
        callExtras?.coalescer?.end()
        callExtras?.throttle?.end()
    }

    override func leave(_ host: any SubscriberHost, _ locked: borrowing Locked) -> [Any?] {
        host.index(locked).remove(self, locked)
    }
}

/// A subscriber that knows the type of what it watches.
///
/// A class of its own rather than a closure over pointers, so that a subscription costs one
/// allocation fewer. Its generic code only passes pointers on.
@usableFromInline
package final class TypedSubscriber<Value>: Subscriber, @unchecked Sendable {  // As `Listener`.
    @exclusivity(unchecked) private var body: BorrowedBody<Value>?

    @usableFromInline
    package init(_ body: @escaping @Sendable (Value, Value) -> Void) {
        self.body = BorrowedBody(body)
        super.init()
    }

    @usableFromInline
    override func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
        switch body {
        case .some(let body): body(old, new)
        case .none: break
        }
    }

    @usableFromInline
    override func release() {
        body = nil
        super.release()
    }
}
