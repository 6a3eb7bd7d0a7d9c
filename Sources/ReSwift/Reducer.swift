// SPDX-License-Identifier: MIT

/// Makes the next state from an action and the previous state, which is nil the first time.
///
/// Pure: it runs under the store's lock, on the dispatching thread.
public typealias Reducer<ReducerStateType> =
    (_ action: any Action, _ state: ReducerStateType?) -> ReducerStateType
