// SPDX-License-Identifier: MIT

/// An action on its way: what it is, where it goes and where it comes from.
///
/// It lies on the stack of the thread that dispatches and is lent to all that it passes. It can't be copied, and
/// refers to values that the caller of ``with(_:to:from:on:_:)`` keeps: no reference to them is counted, which would
/// take a third of the plain dispatch.
@usableFromInline
package struct Dispatch: ~Copyable {
    @usableFromInline package let type: any Action.Type
    /// Points to an initialised value of ``type``.
    @usableFromInline package let action: UnsafeRawPointer
    @usableFromInline let borrowedAddress: UnsafePointer<Borrowed<Address>>
    @usableFromInline let borrowedOrigin: UnsafePointer<Borrowed<ActionOrigin>>
    @usableFromInline let borrowedIsolation: UnsafePointer<Borrowed<(any Actor)?>>

    @inlinable @inline(__always)
    init(
        _ type: any Action.Type, _ action: UnsafeRawPointer,
        to address: UnsafePointer<Borrowed<Address>>,
        from origin: UnsafePointer<Borrowed<ActionOrigin>>,
        on isolation: UnsafePointer<Borrowed<(any Actor)?>>
    ) {
        self.type = type
        self.action = action
        borrowedAddress = address
        borrowedOrigin = origin
        borrowedIsolation = isolation
    }

    /// Calls `body` with an action on its way, which is good until `body` returns.
    @inlinable @inline(__always)
    package static func with<A: Action, Result>(
        _ action: A, to address: Address, from origin: ActionOrigin, on isolation: (any Actor)?,
        _ body: (borrowing Dispatch) -> Result
    ) -> Result {
        withUnsafePointer(to: action) { action in
            withUnsafePointer(to: address) { address in
                withUnsafePointer(to: origin) { origin in
                    withUnsafePointer(to: isolation) { isolation in
                        body(
                            Dispatch(
                                A.self, action, to: Borrowed.at(address), from: Borrowed.at(origin),
                                on: Borrowed.at(isolation)))
                    }
                }
            }
        }
    }

    /// Calls `body` with another action on the same way.
    @inline(__always)
    func with<A: Action, Result>(
        _ action: A, _ body: (borrowing Dispatch) -> Result
    ) -> Result {
        withUnsafePointer(to: action) { action in
            body(
                Dispatch(
                    A.self, action, to: borrowedAddress, from: borrowedOrigin, on: borrowedIsolation
                ))
        }
    }

    package var address: Address {
        @inline(__always) _read { yield borrowedAddress.pointee.value }
    }

    package var origin: ActionOrigin {
        @inline(__always) _read { yield borrowedOrigin.pointee.value }
    }

    /// The actor that the caller runs on, where the compiler knows it.
    package var isolation: (any Actor)? {
        @inline(__always) _read { yield borrowedIsolation.pointee.value }
    }

    /// The same actor, without a reference to be counted.
    var isolationID: ObjectIdentifier? {
        @inline(__always) get {
            switch borrowedIsolation.pointee.value {
            case .some(let actor): ObjectIdentifier(actor)
            case .none: nil
            }
        }
    }

    /// The action as a value of its own, for what keeps it.
    package var boxed: any Action { box(action, as: type) }
}
