// SPDX-License-Identifier: MIT

/// What an action carries through the middlewares of one program.
///
/// It lies on the stack of the thread that dispatches and is passed by pointer. Everything that it
/// refers to is kept by the sender of the action, so that neither it nor a stage counts references.
@usableFromInline
struct ChainContext {
    private let unownedEngine: Unmanaged<Engine>
    private let unownedProgram: Unmanaged<Program>
    private let borrowedAddress: UnsafePointer<Lent<Address>>
    private let borrowedOrigin: UnsafePointer<Lent<Origin>>
    /// The actor from which the action was dispatched.
    private let borrowedIsolation: UnsafePointer<Lent<(any Actor)?>>
    /// For a stage that had to look for its slice: the slice's value when the action came to it.
    private var borrowedLast: Unmanaged<LastValue>?

    /// Calls `body` with a context on the stack.
    ///
    /// The caller keeps the engine and the program meanwhile.
    @inline(__always)
    static func with<R>(
        _ engine: Engine, _ program: Program, _ address: Address, _ origin: Origin,
        _ isolation: (any Actor)?, _ body: (UnsafePointer<ChainContext>) -> R
    ) -> R {
        withUnsafePointer(to: address) { address in
            withUnsafePointer(to: origin) { origin in
                withUnsafePointer(to: isolation) { isolation in
                    let chain = ChainContext(
                        unownedEngine: .passUnretained(engine),
                        unownedProgram: .passUnretained(program),
                        borrowedAddress: Lent.at(address),
                        borrowedOrigin: Lent.at(origin),
                        borrowedIsolation: Lent.at(isolation),
                        borrowedLast: nil)
                    return withUnsafePointer(to: chain, body)
                }
            }
        }
    }

    /// The engine to which the action goes.
    var engine: Engine { unownedEngine.takeUnretainedValue() }
    /// The program that has the stages.
    var program: Program { unownedProgram.takeUnretainedValue() }
    var address: Address { borrowedAddress.pointee.value }
    var origin: Origin { borrowedOrigin.pointee.value }
    var last: LastValue? { borrowedLast?.takeUnretainedValue() }

    /// The same context with the last value of a slice, which the caller keeps.
    func with(_ last: LastValue) -> ChainContext {
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
