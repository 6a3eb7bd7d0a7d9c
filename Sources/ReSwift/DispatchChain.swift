// SPDX-License-Identifier: MIT

/// The middlewares and the reducer as one function.
///
/// Middlewares need not be `Sendable`, hence `@unchecked`. Invariant: they are only called, never
/// changed; what they keep themselves is theirs to guard, as they may run on several threads at once.
struct DispatchChain: @unchecked Sendable {
    // Not an optional, which would wrap the function each time.
    let dispatch: DispatchFunction
    /// Whether it is more than a place for what will be made when it is asked for.
    let isComposed: Bool
}
