// SPDX-License-Identifier: MIT

/// The middlewares and the reducer as one function.
///
/// Middlewares need not be `Sendable`, hence `@unchecked`. Invariant: they are only called, never
/// changed; what they keep themselves is theirs to guard, as they may run on several threads at
/// once.
struct DispatchChain: @unchecked Sendable {
    // Not an optional, which would wrap the function each time.
    let dispatch: DispatchFunction
    /// Whether it has been made; until then, it is made on demand.
    let stage: Stage

    enum Stage {
        case toBeComposed
        /// There are no middlewares, so the chain is only its end.
        case direct
        case composed
    }
}
