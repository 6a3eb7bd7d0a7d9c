// SPDX-License-Identifier: MIT

/// What happens to an entry of a journal that cannot be decoded; it is never skipped silently.
public enum UnreadableEntryPolicy: Sendable {
    /// Reading stops with an error that names the entry.
    case fail
    /// The entry is reported and left out, and reading continues. The journal keeps it.
    ///
    /// The closure is called once for each reading, by the reading task, outside every lock.
    case quarantine(@Sendable (QuarantinedEntry) -> Void)
}
