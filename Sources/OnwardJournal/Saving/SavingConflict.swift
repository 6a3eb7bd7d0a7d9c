// SPDX-License-Identifier: MIT

/// Two values for one storage: another program has replaced what was read or saved here, such as a
/// widget, an editor or a second process of the app.
///
/// ```swift
/// Saving(\.settings, in: .file("settings.json"), whenReplaced: { conflict in
///     guard var both = conflict.theirs else { return .mine }
///     both.theme = conflict.mine.theme
///     return .merged(both)
/// })
/// ```
public struct SavingConflict<Value: Sendable>: Sendable {
    /// The value that is to be saved.
    public let mine: Value
    /// What the other program saved; nil if that can't be read.
    public let theirs: Value?

    /// Whose value is saved.
    public enum Winner: Sendable {
        /// This program's; the other one is kept beside it, or nothing is saved if it can't be.
        case mine
        /// The other program's stays, and this program's value is dropped until it changes again.
        ///
        /// The state keeps its value; to show the other one, dispatch an action with it.
        case theirs
        /// A value that was made of both; the other program's contents are not kept.
        case merged(Value)
    }
}
