// SPDX-License-Identifier: MIT

/// How long a log is, and what part of it is shown.
public struct LogSummary: Sendable, Hashable, Codable {
    /// How many entries there are.
    public var count = 0
    /// The index of the moment that is shown; ``count`` for the newest one.
    public var cursor = 0
    /// The id of the last entry that is shown; 0 for the base.
    public var shownID = 0
    /// The id of the newest entry; 0 if there is none.
    public var newestID = 0
    /// How many entries are skipped.
    public var skipped = 0
    /// Whether actions are ignored.
    public var isLocked = false
    /// Whether actions run without being recorded.
    public var isPaused = false
    /// The maximum number of entries; older ones are folded into the base.
    public var limit = 0
    /// How many entries have been recorded since the log began, including those in the base.
    public var taken = 0
    /// Increases when the past is changed.
    public var revision = 0
    /// About how many bytes the kept states use.
    public var keptBytes = 0

    /// Creates the summary of a log without entries.
    public init() {}

    /// Whether the newest moment is shown.
    public var isAtEnd: Bool { cursor == count }
}
