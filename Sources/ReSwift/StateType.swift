// SPDX-License-Identifier: MIT

/// A marker for states, required by versions before 6.
///
/// No store needs it: any type may be a state. Types that conform to it keep the conformance, with
/// the app's own extensions.
public protocol StateType {}
