// SPDX-License-Identifier: MIT

public import OnwardBridge

/// The state of an app as ``Store/onward`` holds it.
public typealias OnwardState<State> = BridgedState<State>
