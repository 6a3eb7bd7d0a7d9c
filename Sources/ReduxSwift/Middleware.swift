// SPDX-License-Identifier: MIT

/// Makes, of a store and the rest of an action's way, a dispatcher that stands before that rest.
///
/// It runs on the dispatching thread, outside the store's lock, possibly on several threads at once.
/// The store keeps what a middleware makes, so a middleware should capture the store weakly.
public typealias Middleware<State> =
    (_ store: Store<State>) -> (_ next: @escaping Dispatcher) -> Dispatcher
