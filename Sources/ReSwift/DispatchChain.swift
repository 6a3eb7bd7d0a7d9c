// SPDX-License-Identifier: MIT

/// The middlewares and the reducer as one function.
///
/// Middlewares need not be `Sendable`, hence `@unchecked`. Invariant: they are only called, never
/// changed; what they keep themselves is theirs to guard, as they may run on several threads at once.
struct DispatchChain: @unchecked Sendable {
    let dispatch: DispatchFunction

    init(_ dispatch: @escaping DispatchFunction) {
        self.dispatch = dispatch
    }
}
