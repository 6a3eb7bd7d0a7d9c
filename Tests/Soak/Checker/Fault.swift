// SPDX-License-Identifier: MIT

/// A promise that was broken.
struct Fault: Sendable, Hashable, CustomStringConvertible {
    /// What was promised: the same text for all faults of a kind.
    let promise: String
    /// Where it was seen, and the values there.
    let what: String

    var description: String { "\(promise): \(what)" }
}
