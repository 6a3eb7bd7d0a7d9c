// SPDX-License-Identifier: MIT

/// A value that says what happened.
///
/// Any type will do. It is logged under the name of its type and with its fields.
public protocol ActionType {}
