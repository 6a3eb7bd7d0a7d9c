// SPDX-License-Identifier: MIT

/// The middlewares and the reducer as one function.
///
/// Middlewares need not be `Sendable`, hence `@unchecked`. Invariant: they are only called, never
/// changed; what they keep themselves is theirs to guard, as they may run on several threads at once.
struct DispatchChain: @unchecked Sendable {
    // Not an optional, which would wrap the function each time.
    let dispatch: DispatchFunction
    /// Whether it is made; until then, it is made when it is asked for.
    let stage: Stage

    enum Stage {
        case toBeComposed
        /// There are no middlewares, so that it is the end of the way alone.
        case direct
        case composed
    }
}
