// SPDX-License-Identifier: MIT

/// A subscriber that gets pointers, for subscriptions on behalf of others.
package final class PointerSubscriber: Subscriber, @unchecked Sendable {  // As `Listener` says.
    package typealias Body = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void

    private var body: Body?

    package init(_ body: @escaping Body) {
        self.body = body
        super.init()
    }

    override func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) { body?(old, new) }

    override func release() {
        body = nil
        super.release()
    }
}

/// The same for a row, of which a subscriber may be told only a part.
final class PointerRowSubscriber<Element: Identifiable & Sendable>: RowSubscriber<Element>,
    @unchecked Sendable
where Element.ID: Sendable {  // As `RowSubscriber` says.
    /// Guarded, as changes are refined by the deliverer, and it goes when the last call is over.
    private let hearing: Guarded<RowHearing?>

    init(_ id: Element.ID, _ hearing: RowHearing) {
        self.hearing = Guarded(hearing)
        super.init(id)
    }

    override var hearsPart: Bool { true }

    override var isSame: Change.IsSame? { hearing.withValue { $0 }?.isSame }

    override func heard(of change: Change) -> Change? {
        hearing.withValue { $0 }?.refined(change)
    }

    override func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
        hearing.withValue { $0 }?.subscriber.tell(old, new)
    }

    override func release() {
        let last = hearing.withValue { $0.take() }
        withExtendedLifetime(last) {}
        super.release()
    }
}
