// SPDX-License-Identifier: MIT

/// A copy of a root state, and when it was made.
@usableFromInline
final class RootCopy: ValueCopy, @unchecked Sendable {  // As `ValueCopy`; the rest never changes.
    /// The version of the state.
    let version: Version
    /// The oldest version that may still be asked for besides this one; 0 where that is not known.
    let horizon: Version
    /// Whether the copy was made for a delivery, and not for someone who reads.
    let isDelivery: Bool

    init(
        of root: UnsafeRawPointer, _ type: ValueType, version: Version, horizon: Version,
        isDelivery: Bool
    ) {
        self.version = version
        self.horizon = horizon
        self.isDelivery = isDelivery
        super.init(of: root, type)
    }
}
