// SPDX-License-Identifier: MIT

/// A plain value that says what happened.
public protocol Action: Sendable {}
