// SPDX-License-Identifier: MIT

/// What an action carries through the middlewares of a store.
///
/// It lies on the stack of the thread that dispatches and is passed by pointer. Everything that it
/// refers to is kept by the sender of the action, so that neither it nor a stage counts references: that
/// would take some 200 instructions more than the 793 of ten middlewares.
@usableFromInline
struct ChainContext {
    private let unownedEngine: Unmanaged<Engine>
    private let unownedFeatures: Unmanaged<CompiledFeatures>
    private let borrowedAddress: UnsafePointer<Borrowed<Address>>
    private let borrowedOrigin: UnsafePointer<Borrowed<Origin>>
    /// The actor from which the action was dispatched.
    private let borrowedIsolation: UnsafePointer<Borrowed<(any Actor)?>>
    /// For a stage that had to look for its slice: the slice's value when the action came to it.
    private var borrowedLast: Unmanaged<AnyLastKnownValue>?

    /// Calls `body` with a context on the stack.
    ///
    /// The caller keeps the engine and the features meanwhile.
    @inline(__always)
    static func with<R>(
        _ engine: Engine, _ features: CompiledFeatures, _ address: Address, _ origin: Origin,
        _ isolation: (any Actor)?, _ body: (UnsafePointer<ChainContext>) -> R
    ) -> R {
        withUnsafePointer(to: address) { address in
            withUnsafePointer(to: origin) { origin in
                withUnsafePointer(to: isolation) { isolation in
                    let chain = ChainContext(
                        unownedEngine: .passUnretained(engine),
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

    /// The engine to which the action goes.
    var engine: Engine { unownedEngine.takeUnretainedValue() }
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

    /// Hands an action that has passed all middlewares to the reducers.
    @inline(__always)
    func finish(_ type: any Action.Type, _ action: UnsafeRawPointer) -> DispatchResult {
        unownedEngine._withUnsafeGuaranteedRef {
            $0.finish(
                type, action, to: borrowedAddress.pointee, from: borrowedOrigin.pointee,
                on: borrowedIsolation.pointee)
        }
    }
}
