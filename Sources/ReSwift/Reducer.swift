// SPDX-License-Identifier: MIT

/// Makes the next state from an action and the state before, which is nil at the very first.
///
/// Pure: it runs under the store's lock, on the dispatching thread.
public typealias Reducer<ReducerStateType> =
    (_ action: any Action, _ state: ReducerStateType?) -> ReducerStateType
