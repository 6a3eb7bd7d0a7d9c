// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// A value that can be assigned: reading observes it, assigning dispatches an action.
    ///
    /// ```swift
    /// store[\.name, sending: .action(FormAction.rename)] = "Ada"
    /// ```
    ///
    /// SwiftUI's `@Bindable` makes bindings of it: `$store[\.name, sending: .action(FormAction.rename)]`.
    /// It is read for the main actor, where views are.
    ///
    /// - Parameters:
    ///   - path: What to read; see ``subscript(_:isolation:)-(KeyPath<State,Value>Sendable,_)``.
    ///   - sender: Makes the action for a new value. A case of an enum can be given by its name; in a
    ///     closure, the action's type has to be given: `{ FormAction.rename(to: $0) }`.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    @inlinable
    public subscript<Value: Equatable & Sendable, A: Action>(
        path: any KeyPath<State, Value> & Sendable, sending sender: Sender<Value, A>,
        file file: String = #fileID, line line: Int = #line
    ) -> Value {
        get { self[path, isolation: MainActor.shared] }
        set { sender.send(newValue, to: self, file: file, line: line) }
    }
}
