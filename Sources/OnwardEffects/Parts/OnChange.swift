// SPDX-License-Identifier: MIT

public import OnwardCore

/// Answers changes of a value in the state with effects: of a property, or of what a selector derives.
///
/// ```swift
/// OnChange(of: \.total) { old, new, context in
///     old <= limit && new > limit ? .run { await alarm.ring() } : .none
/// }
/// OnChange(of: .selector(isOverBudget)) { _, isOver, context in
///     isOver ? .dispatch(BudgetAction.warned) : .none
/// }
/// ```
///
/// The closure is called as a subscriber is: outside the lock, by the thread that delivers, in the order of the
/// commits, one call at a time, only when the value is another one than that of the last call, and never with a value
/// that is older. Of a batch it sees the end. It decides and returns; the work is done by the effect. Each instance of
/// the feature, and each row, has its own; an instance that comes is no change.
///
/// While time travel shows another moment it is not called; what is there when the store goes live again is
/// no change either.
///
/// - Complexity: that of a subscription per instance; in a feature of rows or of an optional slice, each commit
///   inside the collection reads the value of each instance.
public struct OnChange<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// Answers changes of a property; equal values are skipped.
    public init<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable,
        _ body: @escaping @Sendable (_ old: Value, _ new: Value, EffectContext<State>) -> Effect
    ) {
        self.init(of: .path(path), body)
    }

    /// Answers changes of a selection: what a selector or a closure derives from the state.
    public init<Value: Sendable>(
        of selection: Selection<State, Value>,
        _ body: @escaping @Sendable (_ old: Value, _ new: Value, EffectContext<State>) -> Effect
    ) {
        enter = { registration in
            registration.watch { $0.watch(selection, initially: false, .change, body) }
        }
    }

    /// Registers the closure.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}
