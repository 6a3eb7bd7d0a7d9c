// SPDX-License-Identifier: MIT

/// A copy of a root state, and when it was made.
@usableFromInline
package final class RootCopy: Sendable {
    let copy: ValueCopy
    /// The version of the state.
    package let version: Version
    /// The oldest version that may still be asked for besides this one; 0 where that is not known.
    package let horizon: Version
    /// Whether the copy was made for a delivery, and not for a reader.
    package let isDelivery: Bool

    package init(_ copy: ValueCopy, version: Version, horizon: Version, isDelivery: Bool) {
        self.copy = copy
        self.version = version
        self.horizon = horizon
        self.isDelivery = isDelivery
    }

    /// Where the state lies while the copy is alive.
    @usableFromInline var pointer: UnsafeRawPointer { copy.withPointer { $0 } }

    /// Calls `body` with a pointer to the state, which is kept alive meanwhile.
    @inline(__always)
    package func withPointer<R>(_ body: (UnsafeRawPointer) -> R) -> R { copy.withPointer(body) }
}
