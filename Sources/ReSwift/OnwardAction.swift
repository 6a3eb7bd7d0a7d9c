// SPDX-License-Identifier: MIT

public import OnwardBridge

/// An action of an app as ``Store/onward`` logs it.
public typealias OnwardAction = BridgedAction<any Action>
