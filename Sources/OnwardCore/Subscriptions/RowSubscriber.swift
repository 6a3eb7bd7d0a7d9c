// SPDX-License-Identifier: MIT

/// A subscriber of one row of a table.
///
/// The subscribers of one row are a list, linked both ways, so that one more or one less costs the
/// same whatever their number, and a row that one subscriber watches, as most are, costs nothing
/// besides it. The first of them keeps what they know of the row.
///
/// Everything here belongs to the store's lock; once it left the list, to the thread that took it
/// out. What checks of exclusive access would cost, `RowChangeDetector` says.
@usableFromInline
package class RowSubscriber<Element: Identifiable & Sendable>: Subscriber, @unchecked Sendable
where Element.ID: Sendable {  // As `Listener` and the above say.
    /// The next subscriber of the row; nil in the last one.
    @usableFromInline @exclusivity(unchecked) final var next: RowSubscriber?
    /// The one before, and in the first one the last, both kept alive by the list; nil once it left.
    ///
    /// A weak reference would take two allocations for each that comes, and a quarter more time.
    @usableFromInline @exclusivity(unchecked) final unowned(unsafe) var previous: RowSubscriber?
    /// What the subscribers of the row know; current in the first of them, and in one that came late.
    @usableFromInline @exclusivity(unchecked) final var lastKnown: LastKnownRow<Element>
    /// Whether it knows its row itself, as it came while the others did not know the present table.
    @usableFromInline @exclusivity(unchecked) final var isLate = false
    /// The id under which the list had it, once it left, to be released with it.
    @usableFromInline @exclusivity(unchecked) final var listedID: Element.ID?

    @inlinable
    init(_ id: Element.ID) {
        lastKnown = .absent(id)
        super.init()
    }

    override func hasLeft() {
        // One that is notified of every commit is in another kind of group.
        guard let group, !group.takesEveryCommit else { return }
        unsafeDowncast(group, to: RowGroup.self).detector.forget(self)
    }
}

/// What the subscribers of a row know of it.
@usableFromInline
enum LastKnownRow<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    case present(Element)
    case absent(Element.ID)

    @inlinable
    init(_ element: Element?, _ id: Element.ID) {
        self = element.map { .present($0) } ?? .absent(id)
    }

    @inlinable var element: Element? {
        switch self {
        case .present(let element): element
        case .absent: nil
        }
    }

    @inlinable var id: Element.ID {
        switch self {
        case .present(let element): element.id
        case .absent(let id): id
        }
    }
}

/// A subscriber of a row that gets the row, or nil; `Notified` is `Element?`.
///
/// The two parameters let it keep the closure as it comes, where the compiler would wrap a closure
/// over optionals.
@usableFromInline
package final class TypedRowSubscriber<Element: Identifiable & Sendable, Notified>:
    RowSubscriber<Element>, @unchecked Sendable
where Element.ID: Sendable {  // As `RowSubscriber`.
    @usableFromInline @exclusivity(unchecked) var body: BorrowedBody<Notified>?

    @inlinable
    package init(_ id: Element.ID, _ body: @escaping @Sendable (Notified, Notified) -> Void)
    where Notified == Element? {
        self.body = BorrowedBody(body)
        super.init(id)
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

    override var notifiedType: Any.Type? { Notified.self }
}

/// A subscriber of a row that gets pointers, and may be notified of a part of the row only.
final class PointerRowSubscriber<Element: Identifiable & Sendable>: RowSubscriber<Element>,
    @unchecked Sendable
where Element.ID: Sendable {  // As `RowSubscriber` says.
    /// Guarded, as changes are refined by the deliverer, and it goes when the last call is over.
    private let notification: Guarded<RowNotification?>

    init(_ id: Element.ID, _ notification: RowNotification) {
        self.notification = Guarded(notification)
        super.init(id)
    }

    override var isNotifiedOfPart: Bool { true }

    override var isSame: Change.IsSame? { notification.withValue { $0 }?.isSame }

    override func notified(of change: Change) -> Change? {
        notification.withValue { $0 }?.refined(change)
    }

    override func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
        notification.withValue { $0 }?.subscriber.notify(old, new)
    }

    override func wrapBody(_ caller: @escaping @Sendable (_ call: () -> Void) -> Void) {
        notification.withValue { $0 }?.subscriber.wrapBody(caller)
    }

    override var notifiedType: Any.Type? { notification.withValue { $0 }?.subscriber.notifiedType }

    override func release() {
        let last = notification.withValue { $0.take() }
        withExtendedLifetime(last) {}
    }
}

/// What a subscriber of a row is notified of: a part of it, and only what is news to the subscriber.
///
/// The part is selected and compared before a change waits for an actor. So a change of
/// another part of the row is not joined with it.
struct RowNotification: Sendable {
    typealias Refine =
        @Sendable (
            UnsafeRawPointer, UnsafeRawPointer, (UnsafeRawPointer, UnsafeRawPointer) -> Void
        ) -> Void

    /// Makes a change of the part from one of the row; calls the closure if there is one.
    private var refine: Refine = { old, new, notify in notify(old, new) }
    private let type: ValueType
    /// Whether two values of the part are the same; nil where no two are.
    let isSame: Change.IsSame?
    /// Is notified of the part.
    let subscriber: Subscriber

    init(_ type: ValueType, isSame: Change.IsSame?, _ subscriber: Subscriber) {
        self.type = type
        self.isSame = isSame
        self.subscriber = subscriber
    }

    /// The same for a whole, from which `step` makes what this one is notified of.
    func after(_ step: @escaping Refine) -> RowNotification {
        var whole = self
        whole.refine = { [refine] old, new, notify in
            step(old, new) { old, new in refine(old, new, notify) }
        }
        return whole
    }

    /// The change of the part; nil when there is nothing new.
    func refined(_ change: Change) -> Change? {
        var refined: Change?
        change.withPointers { old, new in
            refine(old, new) { old, new in
                let copy = ValueCopy(of: new, type)
                refined = Change(from: old == new ? copy : ValueCopy(of: old, type), to: copy)
            }
        }
        return refined
    }
}

/// The subscribers that have to be notified of one change of a row, in the order in which they
/// subscribed.
@usableFromInline
struct PendingNotification {
    let change: Change
    /// The first of them, kept apart: usually there is only one, and so no list.
    private let first: Subscriber
    private let others: [Subscriber]

    @usableFromInline
    init(of change: Change, first: Subscriber, others: [Subscriber]) {
        self.change = change
        self.first = first
        self.others = others
    }

    /// Calls `body` with each of them.
    @usableFromInline
    func forEach(_ body: (Subscriber, Change) -> Void) {
        body(first, change)
        for other in others { body(other, change) }
    }

    /// Calls `body` with the members of all notifications, in the order in which they subscribed.
    @usableFromInline
    static func forEachMember(
        of notifications: [PendingNotification], _ body: (Subscriber, Change) -> Void
    ) {
        var calls: [(subscriber: Subscriber, change: Change)] = []
        for notification in notifications { notification.forEach { calls.append(($0, $1)) } }
        for (subscriber, change) in calls.sorted(by: { $0.0.order < $1.0.order }) {
            body(subscriber, change)
        }
    }
}
