// SPDX-License-Identifier: MIT

/// How an action counts for undoing.
public enum UndoRecording: Sendable, Hashable {
    /// Its changes can be undone.
    case step
    /// Its changes are undone together with earlier changes in the same group.
    case group(UndoGroup)
    /// Its changes cannot be undone, such as those that came from a server.
    case ignore
}
