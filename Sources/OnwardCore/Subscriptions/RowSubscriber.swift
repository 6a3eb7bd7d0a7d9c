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
    /// A weak reference would take 1,370 instructions and two allocations more than the 5,450 instructions in which one
    /// comes and goes.
    @usableFromInline @exclusivity(unchecked) final unowned(unsafe) var previous: RowSubscriber?
    /// What the subscribers of the row know; current in the first of them, and in arrivals.
    @usableFromInline @exclusivity(unchecked) final var lastKnown: LastKnownRow<Element>
    /// Whether it came while the others waited for commits that it had seen, until these are
    /// delivered: it knows its own value.
    @usableFromInline @exclusivity(unchecked) final var isArrival = false

    @inlinable
    init(_ id: Element.ID) {
        lastKnown = .absent(id)
        super.init()
    }

    override func hasLeft() {
        guard let group else { return }
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
        super.release()
    }
}
