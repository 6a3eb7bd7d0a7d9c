// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// A value that can be assigned: reading observes it, assigning dispatches an action.
    ///
    /// ```swift
    /// store[\.name, sending: FormAction.rename] = "Ada"
    /// ```
    ///
    /// - Parameters:
    ///   - path: What to read; see ``subscript(_:isolation:)-918gr``.
    ///   - action: Makes the action for a new value. A case of an enum can be given by its name; in
    ///     a closure, the action's type has to be said: `{ FormAction.rename(to: $0) }`.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on.
    @inlinable
    public subscript<Value: Equatable & Sendable, A: Action>(
        path: any KeyPath<State, Value> & Sendable,
        sending action: @Sendable (Value) -> A, file file: String = #fileID,
        line line: Int = #line,
        isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        get { self[path, isolation: isolation] }
        set { dispatch(action(newValue), file: file, line: line, isolation: isolation) }
    }

    /// A value that can be assigned, for key paths to it, which SwiftUI's `@Bindable` makes:
    /// `$store[\.name, sending: .action(FormAction.rename)]`.
    ///
    /// It is read for the main actor, where views are.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        path: any KeyPath<State, Value> & Sendable, sending sender: Sender<Value>,
        file file: String = #fileID, line line: Int = #line
    ) -> Value {
        get { self[path, isolation: MainActor.shared] }
        set { sender.send(newValue, to: self, file: file, line: line) }
    }
}
