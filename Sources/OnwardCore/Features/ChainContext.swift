// SPDX-License-Identifier: MIT

/// What an action carries through the middlewares of a store.
///
/// It lies on the stack of the thread that dispatches and is passed by pointer. Everything that it
/// refers to is kept by the sender of the action, so that neither it nor a stage counts references: that
/// would take some 200 instructions more than the 793 of ten middlewares.
@usableFromInline
struct ChainContext {
    /// What the action goes to.
    unowned(unsafe) let dispatcher: any Dispatcher
    /// The same object, for the end of the chain.
    let target: Unmanaged<LockedStorage>
    private let unownedFeatures: Unmanaged<CompiledFeatures>
    let borrowedAddress: UnsafePointer<Borrowed<Address>>
    let borrowedOrigin: UnsafePointer<Borrowed<Origin>>
    /// The actor from which the action was dispatched.
    let borrowedIsolation: UnsafePointer<Borrowed<(any Actor)?>>
    /// For a stage that had to look for its slice: the slice's value when the action came to it.
    private var borrowedLast: Unmanaged<AnyLastKnownValue>?

    /// Calls `body` with a context on the stack.
    ///
    /// The caller keeps the dispatcher and the features meanwhile.
    @inline(__always)
    static func with<R>(
        _ dispatcher: any Dispatcher, _ features: CompiledFeatures, _ address: Address,
        _ origin: Origin, _ isolation: (any Actor)?, _ body: (UnsafePointer<ChainContext>) -> R
    ) -> R {
        withUnsafePointer(to: address) { address in
            withUnsafePointer(to: origin) { origin in
                withUnsafePointer(to: isolation) { isolation in
                    let chain = ChainContext(
                        dispatcher: dispatcher,
                        target: .passUnretained(dispatcher),
                        unownedFeatures: .passUnretained(features),
                        borrowedAddress: Borrowed.at(address),
                        borrowedOrigin: Borrowed.at(origin),
                        borrowedIsolation: Borrowed.at(isolation),
                        borrowedLast: nil)
                    return withUnsafePointer(to: chain, body)
                }
            }
        }
    }

    /// The features that have the stages.
    var features: CompiledFeatures { unownedFeatures.takeUnretainedValue() }
    var address: Address { borrowedAddress.pointee.value }
    var origin: Origin { borrowedOrigin.pointee.value }
    var last: AnyLastKnownValue? { borrowedLast?.takeUnretainedValue() }

    /// The same context with the last value of a slice, which the caller keeps.
    func with(_ last: AnyLastKnownValue) -> ChainContext {
        var copy = self
        copy.borrowedLast = .passUnretained(last)
        return copy
    }
}
