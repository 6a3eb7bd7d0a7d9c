// SPDX-License-Identifier: MIT

/// Makes a dispatch function that comes before the rest of an action's way, from a way to dispatch,
/// a way to read the state, and that rest.
///
/// It runs on the dispatching thread, outside the store's lock, possibly on several threads at once.
public typealias Middleware<State> =
    (@escaping DispatchFunction, @escaping () -> State?) ->
    (@escaping DispatchFunction) -> DispatchFunction
