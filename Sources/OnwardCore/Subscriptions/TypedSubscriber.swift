// SPDX-License-Identifier: MIT

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
    override func tell(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
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
