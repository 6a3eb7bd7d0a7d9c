// SPDX-License-Identifier: MIT

/// A subscriber that gets pointers, for subscriptions on behalf of others.
package final class PointerSubscriber: Subscriber, @unchecked Sendable {  // As `Listener` says.
    package typealias Body = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void

    private var body: Body?

    package init(_ body: @escaping Body) {
        self.body = body
        super.init()
    }

    override func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) { body?(old, new) }

    override func release() {
        body = nil
        super.release()
    }
}

/// The same for a row, of which a subscriber may be notified only a part.
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

    override func release() {
        let last = notification.withValue { $0.take() }
        withExtendedLifetime(last) {}
        super.release()
    }
}
