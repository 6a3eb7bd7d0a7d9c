// SPDX-License-Identifier: MIT

/// Handles an action on its way to the reducer.
public typealias DispatchFunction = (any Action) -> Void
