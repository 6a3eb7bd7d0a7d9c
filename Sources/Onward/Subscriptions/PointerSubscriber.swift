// SPDX-License-Identifier: MIT

/// A subscriber that gets pointers, for who subscribes on behalf of others.
final class PointerSubscriber: Subscriber, @unchecked Sendable {  // As `Listener` says.
    typealias Body = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void

    private var body: Body?

    init(_ body: @escaping Body) {
        self.body = body
        super.init()
    }

    override func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) { body?(old, new) }

    override func release() {
        body = nil
        super.release()
    }
}

/// The same for a row: pointers to optional rows.
final class PointerRowSubscriber<Element: Identifiable & Sendable>: RowSubscriber<Element>,
    @unchecked Sendable
where Element.ID: Sendable {  // As `RowSubscriber` says.
    private var body: PointerSubscriber.Body?

    init(_ id: Element.ID, _ body: @escaping PointerSubscriber.Body) {
        self.body = body
        super.init(id)
    }

    override func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) { body?(old, new) }

    override func release() {
        body = nil
        super.release()
    }
}
