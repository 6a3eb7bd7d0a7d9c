// SPDX-License-Identifier: MIT

/// A mark for states, which versions before 6 asked for.
///
/// No store needs it: any type may be a state. What has it keeps it, with the extensions that an app gives
/// it.
public protocol StateType {}
