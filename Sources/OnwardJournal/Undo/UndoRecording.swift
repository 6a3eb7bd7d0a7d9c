// SPDX-License-Identifier: MIT

/// How an action counts for undoing.
public enum UndoRecording: Sendable, Hashable {
    /// What it changes can be undone.
    case step
    /// What it changes is undone with the changes before it in the same group.
    case group(UndoGroup)
    /// What it changes cannot be undone, such as what came from a server.
    case ignore
}
