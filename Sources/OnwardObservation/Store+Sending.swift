// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// A settable value: reading observes it, assigning dispatches an action.
    ///
    /// ```swift
    /// store[\.name, sending: .action(FormAction.rename)] = "Ada"
    /// ```
    ///
    /// SwiftUI's `@Bindable` makes bindings from it:
    /// `$store[\.name, sending: .action(FormAction.rename)]`. The value is read for the main actor,
    /// where views are.
    ///
    /// - Parameters:
    ///   - path: The value to read; see
    ///     ``subscript(_:isolation:)-(KeyPath<State,Value>Sendable,_)``.
    ///   - sender: Makes the action for a new value. An enum case can be passed by name; in a
    ///     closure, state the action's type: `{ FormAction.rename(to: $0) }`.
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
