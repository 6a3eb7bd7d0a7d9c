// SPDX-License-Identifier: MIT

public import OnwardBridge

/// A state that an app assigned to ``Store/state``, as ``Store/onward`` logs it.
public typealias OnwardAssignment<State> = BridgedAssignment<State>
