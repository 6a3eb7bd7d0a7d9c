// SPDX-License-Identifier: MIT

/// What happens to an entry of a journal that cannot be decoded, or that ended the program in two
/// launches in succession (``JournalError/Code/fatal``); it is never skipped silently.
public enum UnreadableEntryPolicy: Sendable {
    /// Reading stops with an error that names the entry.
    case fail
    /// The entry is reported and left out, and reading continues; the journal keeps the entry.
    ///
    /// The closure is called by the reading task, outside every lock, each time the entry is read.
    case quarantine(@Sendable (QuarantinedEntry) -> Void)
}
