// SPDX-License-Identifier: MIT

public import Onward

extension ProgrammerError.Kind {
    /// An ``Undoable`` records no type of action.
    public static var undoableWithoutRecording: ProgrammerError.Kind {
        ProgrammerError.Kind("undoableWithoutRecording")
    }
}

extension ProgrammerError {
    static func undoableWithoutRecording(_ slice: AnyKeyPath) -> ProgrammerError {
        ProgrammerError(
            kind: .undoableWithoutRecording,
            description: """
                An Undoable of \(slice) says of no type of action that its changes are recorded, so there \
                is never anything to undo. To fix this, write .recording(SomeAction.self) behind its \
                parts, once for each type whose changes are steps.
                """)
    }
}
