// SPDX-License-Identifier: MIT

public import Onward

/// Undoes a step of an ``UndoStack``, or redoes it.
///
/// Created by ``UndoStack/undo`` and ``UndoStack/redo``. An action changes nothing if its step is
/// no longer the next one, or if it names another stack.
public enum UndoAction: Action, Codable, Hashable {
    /// Undoes the step with an id, in the stack with a name.
    case undo(step: Int, of: String? = nil)
    /// Redoes the step with an id, in the stack with a name.
    case redo(step: Int, of: String? = nil)
}
