// SPDX-License-Identifier: MIT

#if Testing
public import Onward

extension TestStore where State: Editable {
    /// Edits a field of the form, and states what else that changes.
    ///
    /// ```swift
    /// await store.edit(\.name, "Ann")
    /// await store.edit(\.mail, "ann") { $0.problem = "An address has an @." }
    /// ```
    ///
    /// That the field has the new value needs no statement. For a form inside the state, dispatch an
    /// `Edit` to it.
    ///
    /// - Parameters:
    ///   - path: The field, one of the form's `fields`.
    ///   - value: Its new value.
    ///   - strictness: Whether all changes have to be stated.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state with the new value into the one after the edit.
    public func edit<Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<State, Value> & Sendable, _ value: Value,
        _ strictness: Strictness = .exhaustive, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, changes: ((inout State) throws -> Void)? = nil
    ) async {
        await dispatch(
            Edit(path, value), to: .root, strictness, isolation: isolation, fileID: fileID,
            filePath: filePath, line: line, column: column
        ) { state in
            state[keyPath: path] = value
            try changes?(&state)
        }
    }
}
#endif
