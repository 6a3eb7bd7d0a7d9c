// SPDX-License-Identifier: MIT

/// A change that is notified after the delivery that brought it.
struct LateChange: Sendable {
    let change: Change
    /// Says whether changes that were joined changed anything; nil for a single one.
    var isSame: Change.IsSame?
}
