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
