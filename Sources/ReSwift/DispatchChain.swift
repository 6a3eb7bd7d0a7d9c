// SPDX-License-Identifier: MIT

/// The middlewares, and what they made of the end of an action's way.
///
/// Middlewares need not be `Sendable`, hence `@unchecked`. Invariant: they are only called, never
/// changed; what they keep themselves is theirs to guard, as they may run on several threads at once.
struct DispatchChain<State>: @unchecked Sendable {
    var middleware: [Middleware<State>]
    /// The middlewares and the reducer as one function; nil until it is asked for.
    var dispatch: DispatchFunction?
}
