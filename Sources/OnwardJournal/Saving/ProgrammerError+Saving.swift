// SPDX-License-Identifier: MIT

public import Onward

extension ProgrammerError.Kind {
    /// A ``Saving`` is in rows, or in a child that may be absent.
    public static var savingWhatComesAndGoes: ProgrammerError.Kind {
        ProgrammerError.Kind("savingWhatComesAndGoes")
    }

    /// Two slices of a store are saved to one storage.
    public static var repeatedStorage: ProgrammerError.Kind {
        ProgrammerError.Kind("repeatedStorage")
    }
}

extension ProgrammerError {
    static func savingWhatComesAndGoes(_ slice: SavedSlice) -> ProgrammerError {
        ProgrammerError(
            kind: .savingWhatComesAndGoes,
            description: """
                A Saving of \(slice.text) stands in rows, or in a child that is optional. What was saved \
                is read when the store is made, so a child that comes later would begin without it \
                and write over it, and rows would share one storage. So nothing is read or saved \
                there. To fix this, put the Saving at the parent that is always there, and let it save all \
                rows, or the child: Saving(\\.rows, in: storage).
                """)
    }

    static func repeatedStorage(_ slice: SavedSlice, _ first: SavedSlice) -> ProgrammerError {
        ProgrammerError(
            kind: .repeatedStorage,
            description: """
                A Saving of \(slice.text) has the storage of another one, that of \(first.text), and each \
                would write over what the other saved. So only the first one reads and saves. To fix this, \
                give each a storage of its own: where one feature stands at several places, make it by a \
                function that takes the storage, or put a Saving for each beside their scopes.
                """)
    }
}
