// SPDX-License-Identifier: MIT

public import Observation
public import OnwardCore

/// A store that accepts the actions of one feature, to be handed to views.
///
/// ```swift
/// let counter = store.scoped(to: \.counter, sending: CounterAction.self)
/// counter.send(.add(1))
/// print(counter[\.count])
/// ```
///
/// It reads and notifies like the ``Store`` it was made from, which accepts the actions of all
/// features, and is just as safe to use from any thread. It owns nothing and copies nothing; a view
/// may make one whenever it needs one.
public final class FeatureStore<State: Sendable, FeatureAction: Action>: Observable, Sendable {
    /// The same store, open to the actions of all features.
    public let base: Store<State>

    @usableFromInline
    init(_ base: Store<State>) {
        self.base = base
    }

    /// The current state.
    ///
    /// In the body of a view, use a subscript, which is tracked.
    ///
    /// - Complexity: O(size of the state's struct).
    @inlinable
    public var state: State { base.state }

    /// Sends an action; see ``Store/dispatch(_:file:line:isolation:)``.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    /// - Complexity: O(handlers of the type).
    @inlinable
    @discardableResult
    public func send(
        _ action: FeatureAction, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        base.dispatch(action, file: file, line: line, isolation: isolation)
    }
}

// MARK: Making them

extension Store {
    /// Returns this store for the actions of one feature alone, to be handed to a view.
    public func scoped<A: Action>(sending type: A.Type) -> FeatureStore<State, A> {
        FeatureStore(self)
    }

    /// Returns a store of a slice for the actions of its feature, to be handed to a view; see
    /// ``scoped(to:name:)->Store<Slice>``.
    public func scoped<Slice: Sendable, A: Action>(
        to path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        sending type: A.Type
    ) -> FeatureStore<Slice, A> {
        FeatureStore(scoped(to: path, name: name))
    }

    /// Returns a store of a row for the actions of its feature, to be handed to a view; see
    /// ``scoped(to:name:)->Store<Row?>``.
    public func scoped<Row: Sendable, A: Action>(
        to row: RowPath<State, Row>, name: String? = nil, sending type: A.Type
    ) -> FeatureStore<Row?, A> {
        FeatureStore(scoped(to: row, name: name))
    }
}

extension FeatureStore {
    /// Returns a store of a slice for the actions of its feature.
    public func scoped<Slice: Sendable, A: Action>(
        to path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        sending type: A.Type
    ) -> FeatureStore<Slice, A> {
        base.scoped(to: path, name: name, sending: type)
    }

    /// Returns a store of a row for the actions of its feature; its state is nil while there is no
    /// such row.
    public func scoped<Row: Sendable, A: Action>(
        to row: RowPath<State, Row>, name: String? = nil, sending type: A.Type
    ) -> FeatureStore<Row?, A> {
        base.scoped(to: row, name: name, sending: type)
    }

    /// Returns a store of the optional state's value, for a view that is shown while there is one;
    /// nil if there is none now.
    ///
    /// When the slice goes away, the store keeps showing the value that was last read through it,
    /// as ``Store/unwrapped()`` does. Code that may track what it reads, such as a view's body, is
    /// notified when the slice appears or goes away.
    ///
    /// - Parameter isolation: The actor that the caller runs on.
    /// - Returns: The store, or nil.
    /// - Complexity: one lookup more than that of the store.
    public func unwrapped<Wrapped: Sendable>(isolation: (any Actor)? = #isolation)
        -> FeatureStore<Wrapped, FeatureAction>?
    where State == Wrapped? {
        _ = base[.presence(of: \.self), isolation: isolation]
        return base.unwrapped().map { FeatureStore<Wrapped, FeatureAction>($0) }
    }
}
