// SPDX-License-Identifier: MIT

/// A value that says what happened.
///
/// Any type will do: a struct, an enum, a class. It is logged under the name of its type and with its
/// fields.
public protocol Action {}
