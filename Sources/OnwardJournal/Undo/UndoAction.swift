// SPDX-License-Identifier: MIT

public import Onward

/// Takes a step of an ``UndoStack`` back, or forth again.
///
/// Made by ``UndoStack/undo`` and ``UndoStack/redo``. One that names a step which is not the next any
/// more changes nothing.
public enum UndoAction: Action, Codable, Hashable {
    /// Takes back the step with an id.
    case undo(step: Int)
    /// Makes the step with an id again.
    case redo(step: Int)
}
