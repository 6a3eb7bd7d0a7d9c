// SPDX-License-Identifier: MIT

public import OnwardCore

extension FeatureStore {
    /// The value at a key path, for code that may track what it reads; see
    /// ``Store/subscript(_:isolation:)-(KeyPath<State,Value>Sendable,_)``.
    ///
    /// - Complexity: a look-up more than ``state``.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        path: any KeyPath<State, Value> & Sendable, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        base[path, isolation: isolation]
    }

    /// What a selection gives, for code that may track what it reads; see
    /// ``Store/subscript(_:isolation:)-(Selection<State,Value>,_)``.
    ///
    /// - Complexity: as for a key path, and what the selection costs.
    @inlinable
    public subscript<Value: Sendable>(
        selection: Selection<State, Value>, isolation isolation: (any Actor)? = #isolation
    ) -> Value {
        base[selection, isolation: isolation]
    }

    /// A value that can be assigned: reading observes it, assigning sends an action; SwiftUI's `@Bindable` makes
    /// bindings of it.
    ///
    /// ```swift
    /// TextField("Name", text: $store[\.name, sending: .action { .rename($0) }])
    /// ```
    ///
    /// - Parameters:
    ///   - path: What to read.
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

    /// Notifies of changes of a value in the state; see
    /// ``Store/subscribe(_:initially:isolation:file:line:_:)-(KeyPath<State,Value>Sendable,_,_,_,_,_)``.
    ///
    /// - Returns: The token; letting it go ends the calls.
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

    /// Notifies of changes of what a selection gives; see
    /// ``Store/subscribe(_:initially:isolation:file:line:_:)-(Selection<State,Value>,_,_,_,_,_)``.
    ///
    /// - Returns: The token; letting it go ends the calls.
    /// - Complexity: as the selection says.
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

    /// The values at a key path, one after the other: the current one, then each change; see
    /// ``Store/values(of:buffering:file:line:)-(KeyPath<State,Value>Sendable,_,_,_)``.
    ///
    /// - Returns: A sequence that ends with the store, or with the slice that this is the store of.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest,
        file: String = #fileID, line: Int = #line
    ) -> StoreValues<Value> {
        base.values(of: path, buffering: buffering, file: file, line: line)
    }
}
