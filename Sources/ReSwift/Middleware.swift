// SPDX-License-Identifier: MIT

/// Makes, of a way to dispatch, a way to read the state and the rest of an action's way, a dispatch
/// function that stands before that rest.
///
/// It runs on the dispatching thread, outside the store's lock, possibly on several threads at once.
public typealias Middleware<State> =
    (@escaping DispatchFunction, @escaping () -> State?) ->
    (@escaping DispatchFunction) -> DispatchFunction
