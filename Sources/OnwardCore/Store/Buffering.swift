// SPDX-License-Identifier: MIT

/// What a sequence of values keeps for a reader that is slower than the store.
///
/// Whatever is kept, values come in version order, and no value is followed by an equal one when
/// values can be compared.
public enum Buffering: Sendable, Hashable {
    /// The newest value only: a slow reader skips what it was too late for.
    case latest
    /// Every value, up to a number of them that wait.
    ///
    /// - Parameters:
    ///   - limit: How many values may wait, at least 1.
    ///   - onOverflow: Which value is dropped when one more comes.
    case every(limit: Int, onOverflow: Overflow)

    /// Which value is dropped when a buffer is full.
    public enum Overflow: Sendable, Hashable {
        /// The value that waited longest; the reader ends with the current value.
        case dropOldest
        /// The value that came last; the reader gets an unbroken beginning, and may miss the current
        /// value until the next change.
        case dropNewest
    }
}
