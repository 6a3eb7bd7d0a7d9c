// SPDX-License-Identifier: MIT

/// Handles an action on its way to the reducer; returns it, or what became of it on the way.
public typealias Dispatcher = (any ActionType) -> any ActionType
