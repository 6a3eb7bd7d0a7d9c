// SPDX-License-Identifier: MIT

/// What states used to conform to; any type may be a state.
@available(*, deprecated, message: "Any type may be a state. Remove the conformance.")
public typealias StateType = Any
