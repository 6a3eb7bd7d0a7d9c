// SPDX-License-Identifier: MIT

/// The value that a link of a subscription's chain saw last.
///
/// A chain belongs to the thread that may call its subscriber, so no other thread touches the value at the
/// same time; a thousand subscribers would pay at each action for checking that, hence `@exclusivity(unchecked)`.
@usableFromInline
final class PreviousValue<Value> {
    /// The value; nil before the first.
    @usableFromInline @exclusivity(unchecked) var value: Value?

    @inlinable
    init() {}

    /// Lends the place of the value; nil before the first.
    @inlinable @inline(__always)
    func withPointer(_ body: (UnsafePointer<Value>?) -> Void) {
        guard value != nil else { return body(nil) }
        withUnsafePointer(to: &value) { pointer in
            // The payload of an optional starts where the optional does.
            body(UnsafeRawPointer(pointer).assumingMemoryBound(to: Value.self))
        }
    }
}
