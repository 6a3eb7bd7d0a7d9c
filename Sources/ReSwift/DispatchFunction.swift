// SPDX-License-Identifier: MIT

/// Takes an action on its way to the reducer.
public typealias DispatchFunction = (any Action) -> Void
