// SPDX-License-Identifier: MIT

/// An action on its way: what it is, where it goes and where it comes from.
///
/// It lies on the stack of the thread that dispatches and is lent to all that it passes. It can't be copied:
/// references to its address, origin and actor are counted where it is made, and nowhere on the way.
@usableFromInline
package struct Dispatch: ~Copyable {
    @usableFromInline package let type: any Action.Type
    /// Points to an initialised value of ``type``, which the caller keeps.
    @usableFromInline package let action: UnsafeRawPointer
    @usableFromInline package let address: Address
    @usableFromInline package let origin: Origin
    /// The actor that the caller runs on, where the compiler knows it.
    @usableFromInline package let isolation: (any Actor)?

    /// An action on its way.
    ///
    /// - Precondition: `action` points to an initialised value of `type`, as long as the dispatch lives.
    @inlinable @inline(__always)
    package init(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on isolation: (any Actor)?
    ) {
        self.type = type
        self.action = action
        self.address = address
        self.origin = origin
        self.isolation = isolation
    }

    /// The action as a value of its own, for what keeps it.
    var boxed: any Action { box(action, as: type) }
}
