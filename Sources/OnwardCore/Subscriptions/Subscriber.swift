// SPDX-License-Identifier: MIT

/// The store's side of a subscription.
///
/// As `Listener` says; `slot` belongs to the store's lock. What ``register(in:_:)`` sets never changes
/// afterwards.
@usableFromInline
package class Subscriber: Listener, @unchecked Sendable {
    /// Whether it is called in the plain way: by the deliverer, with every change of its group.
    ///
    /// Only then `extras` may come later.
    @exclusivity(unchecked) private(set) final var isPlain = true
    /// The position among the members of a `ValueGroup`, below 0 among those that came late.
    @exclusivity(unchecked) final var slot: Int32 = 0
    @exclusivity(unchecked) private(set) final var group: SubscriberGroup?
    /// What it costs; nil where nobody inspects the store.
    @exclusivity(unchecked) private(set) final var meter: SubscriberMeter?

    @usableFromInline
    package override init() {}

    /// Takes its place; once, before anyone else knows the subscriber.
    final func register(in group: SubscriberGroup, order: UInt64, _ mailbox: Mailbox?) {
        join(order: order)
        self.group = group
        guard mailbox != nil || isNotifiedOfPart else { return }
        extras = ListenerExtras(mailbox)
        isPlain = false
    }

    /// Has its calls measured from here on; once, before anyone else knows the subscriber.
    final func measure(_ meter: SubscriberMeter) {
        self.meter = meter
        wrapBody { call in meter.calls.measure(call) }
    }

    /// Has the body called by `caller`.
    func wrapBody(_ caller: @escaping @Sendable (_ call: () -> Void) -> Void) {}

    /// The type that its body is notified of; nil where that is known to the body alone.
    var notifiedType: Any.Type? { nil }

    /// Whether it is notified only of a part of what its group notifies of.
    var isNotifiedOfPart: Bool { false }

    /// Whether two values that it is notified of are the same; nil where no two are.
    var isSame: Change.IsSame? { group?.isSame }

    /// What it is notified of where its group notifies of a change; nil when that is not news to it.
    func notified(of change: Change) -> Change? { change }

    /// Notifies of two values of the type that is watched.
    @usableFromInline
    func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {}

    /// Where calls on an actor wait; nil for a subscriber without isolation.
    package final var mailbox: Mailbox? { isPlain ? nil : extras?.mailbox }

    /// The same without a reference to be counted.
    final var borrowedMailbox: Unmanaged<Mailbox>? {
        @inline(__always) get { isPlain ? nil : extras?.borrowedMailbox }
    }

    /// Notifies of a change as it is.
    @inline(__always)
    final func pass(_ change: Change) {
        change.withPointers { notify($0, $1) }
    }

    /// Makes a call, unless it was cancelled, for the holder of the right to call.
    @inline(__always)
    final func call(_ thread: UInt, _ call: () -> Void) {
        guard begin(thread) else { return }
        call()
        end(thread)
    }

    // MARK: As a listener

    override var host: (any SubscriberHost)? { group?.host }

    package override func marked(_ locked: borrowing Locked) -> CommitVersion {
        guard let group, group.isMarked else { return 0 }
        return group.mark.version
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
    }

    override func wrapBody(_ caller: @escaping @Sendable (_ call: () -> Void) -> Void) {
        if let own = body.take() { body = own.wrapped(in: caller) }
    }

    override var notifiedType: Any.Type? { Value.self }
}

/// A subscriber that gets pointers, for subscriptions on behalf of others.
package final class PointerSubscriber: Subscriber, @unchecked Sendable {  // As `Listener` says.
    package typealias Body = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void

    private var body: Body?

    package init(_ body: @escaping Body) {
        self.body = body
        super.init()
    }

    override func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) { body?(old, new) }

    override func wrapBody(_ caller: @escaping @Sendable (_ call: () -> Void) -> Void) {
        guard let body else { return }
        self.body = { old, new in caller { body(old, new) } }
    }

    override func release() {
        body = nil
    }
}
