// SPDX-License-Identifier: MIT

/// Makes a dispatch function that runs before the rest of the chain, from a function that
/// dispatches, a function that reads the state, and the rest of the chain.
///
/// It runs on the dispatching thread, outside the store's lock, possibly on several threads at
/// once.
public typealias Middleware<State> =
    (@escaping DispatchFunction, @escaping () -> State?) ->
    (@escaping DispatchFunction) -> DispatchFunction
