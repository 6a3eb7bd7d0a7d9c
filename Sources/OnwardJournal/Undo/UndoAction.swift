// SPDX-License-Identifier: MIT

public import Onward

/// Takes a step of an ``UndoStack`` back, or forth again.
///
/// Made by ``UndoStack/undo`` and ``UndoStack/redo``. One that names a step which is not the next any
/// more, or a stack with another name, changes nothing.
public enum UndoAction: Action, Codable, Hashable {
    /// Takes back the step with an id, of the stack with a name.
    case undo(step: Int, of: String? = nil)
    /// Makes the step with an id again, of the stack with a name.
    case redo(step: Int, of: String? = nil)
}
