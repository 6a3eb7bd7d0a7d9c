// SPDX-License-Identifier: MIT

/// Something that a feature is made of: a reducer, a middleware, a scope, another feature.
///
/// This is the only way in which behaviour enters a store; your own kinds of parts conform
/// to it and are listed in a feature like the built-in ones.
public protocol Part<State>: Sendable {
    /// The state this part works on.
    associatedtype State: Sendable

    /// Registers what this part consists of.
    ///
    /// Called once for each store (and again when its features are replaced), before the store
    /// runs anything; the order of the calls is the order in which the parts handle an action.
    func register(in registration: inout Registration<State>)
}
