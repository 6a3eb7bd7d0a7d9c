// SPDX-License-Identifier: MIT

public import Onward

/// Undoes a step of an ``UndoStack``, or redoes it.
///
/// Made by ``UndoStack/undo`` and ``UndoStack/redo``. An action that names a step that is no longer
/// the next, or a stack with another name, changes nothing.
public enum UndoAction: Action, Codable, Hashable {
    /// Takes back the step with an id, of the stack with a name.
    case undo(step: Int, of: String? = nil)
    /// Makes the step with an id again, of the stack with a name.
    case redo(step: Int, of: String? = nil)
}
