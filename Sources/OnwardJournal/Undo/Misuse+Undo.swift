// SPDX-License-Identifier: MIT

public import Onward

extension Misuse.Kind {
    /// An ``Undoable`` records no type of action.
    public static var undoableWithoutRecording: Misuse.Kind {
        Misuse.Kind("undoableWithoutRecording")
    }
}

extension Misuse {
    static func undoableWithoutRecording(_ slice: AnyKeyPath) -> Misuse {
        Misuse(
            kind: .undoableWithoutRecording,
            description: """
                An Undoable of \(slice) says of no type of action that its changes are recorded, so there \
                is never anything to undo. To fix this, write .recording(SomeAction.self) behind its \
                parts, once for each type whose changes are steps.
                """)
    }
}
