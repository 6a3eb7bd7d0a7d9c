// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension FeatureStore {
    /// The value at a key path, for code that may track what it reads; see
    /// ``Store/subscript(_:isolation:)-(KeyPath<State,Value>Sendable,_)``.
    ///
    /// - Complexity: one lookup more than ``state``.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        path: any KeyPath<State, Value> & Sendable, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        base[path, isolation: isolation]
    }

    /// The result of a selection, for code that may track what it reads; see
    /// ``Store/subscript(_:isolation:)-(Selection<State,Value>,_)``.
    ///
    /// - Complexity: as for a key path, plus the cost of the selection.
    @inlinable
    public subscript<Value: Sendable>(
        selection: Selection<State, Value>, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        base[selection, isolation: isolation]
    }

    /// One row of a table, for code that may track what it reads; see ``Store/subscript(_:id:isolation:)``.
    @inlinable
    public subscript<Row: Identifiable & Equatable & Sendable>(
        path: any KeyPath<State, EntityTable<Row>> & Sendable, id id: Row.ID,
        isolation isolation: (any Actor)? = #isolation
    ) -> Row? where Row.ID: Sendable {
        base[path, id: id, isolation: isolation]
    }

    /// A settable value: reading observes it, assigning sends an action; SwiftUI's `@Bindable`
    /// makes bindings from it.
    ///
    /// ```swift
    /// TextField("Name", text: $store[\.name, sending: .action { .rename($0) }])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The value to read.
    ///   - sender: Makes the action for a new value.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        path: any KeyPath<State, Value> & Sendable, sending sender: Sender<Value, FeatureAction>,
        file file: String = #fileID, line line: Int = #line
    ) -> Value {
        get { base[path, sending: sender, file: file, line: line] }
        set { base[path, sending: sender, file: file, line: line] = newValue }
    }

    /// Subscribes to changes of a value in the state; see
    /// ``Store/subscribe(_:initially:isolation:file:line:_:)-(KeyPath<State,Value>Sendable,_,_,_,_,_)``.
    ///
    /// - Returns: The token; releasing it ends the calls.
    @inlinable
    public func subscribe<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, initially: Bool = false,
        isolation: (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        base.subscribe(
            path, initially: initially, isolation: isolation, file: file, line: line, body)
    }

    /// Subscribes to changes of a selection's result; see
    /// ``Store/subscribe(_:initially:isolation:file:line:_:)-(Selection<State,Value>,_,_,_,_,_)``.
    ///
    /// - Returns: The token; releasing it ends the calls.
    /// - Complexity: that of the selection.
    @inlinable
    public func subscribe<Value: Sendable>(
        _ selection: Selection<State, Value>, initially: Bool = false,
        isolation: (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        base.subscribe(
            selection, initially: initially, isolation: isolation, file: file, line: line, body)
    }

    /// The values at a key path, one after another: the current one, then each change; see
    /// ``Store/values(of:buffering:file:line:)-(KeyPath<State,Value>Sendable,_,_,_)``.
    ///
    /// - Returns: A sequence that ends with the store, or with the store's slice.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest,
        file: String = #fileID, line: Int = #line
    ) -> StoreValues<Value> {
        base.values(of: path, buffering: buffering, file: file, line: line)
    }
}
