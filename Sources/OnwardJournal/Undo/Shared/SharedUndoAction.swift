// SPDX-License-Identifier: MIT

public import Onward

/// Undoes a step of one author in a ``SharedUndo``, redoes it, or forgets it.
///
/// Created by ``SharedUndo/undo(by:)``, ``SharedUndo/redo(by:)`` and ``SharedUndo/forget(by:)``. An
/// action changes nothing if its step is no longer the author's next one, or if it names another
/// stack.
public enum SharedUndoAction: Action, Codable, Hashable {
    /// Undoes a step of an author, in the stack with a name.
    case undo(step: Int, by: String, of: String? = nil)
    /// Redoes a step of an author, in the stack with a name.
    case redo(step: Int, by: String, of: String? = nil)
    /// Forgets a step of an author that can't be undone, so that earlier ones can.
    case forget(step: Int, by: String, of: String? = nil)
}

/// Why a step of an author could not be undone or redone.
public struct UndoRefusal: Sendable, Hashable, Codable {
    /// What stood in the way.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// Somebody has changed the same property, or a row that was to go.
        case changed
        /// Somebody has removed the row.
        case removed
        /// Somebody has added a row with the same id.
        case added
    }

    /// The step, which is still the author's next one.
    public let step: Int
    /// The id of the row, as addresses have it.
    public let row: String
    /// What stood in the way.
    public let reason: Reason
}
