// SPDX-License-Identifier: MIT

/// Uses a value, so that reading it, or having a closure capture it, is not left out.
@_optimize(none)
func keep(_ value: Int) {}
