// SPDX-License-Identifier: MIT

public import OnwardCore

/// Answers changes of a value in the state, such as a property or a selector's result, with
/// effects.
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
/// The closure is called like a subscriber: outside the lock, on the delivering thread, in commit
/// order, one call at a time, only if the value differs from that of the last call, and never with
/// an older value. Of a batch, it sees only the end. It only decides and returns; the effect does
/// the work. Actions that it answers with are dispatched one after another, in the same order. Each
/// instance of the feature, and each row, is followed on its own; a new instance is not a change.
///
/// The closure is not called while time travel shows another moment, and the state when the store
/// goes live again is not a change either.
///
/// - Complexity: that of one subscription per instance; in a feature of rows or of an optional
///   slice, each commit inside the collection reads the value of each instance.
public struct OnChange<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// Answers changes of a property; equal values are skipped.
    public init<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable,
        _ body: @escaping @Sendable (_ old: Value, _ new: Value, EffectContext<State>) -> Effect
    ) {
        self.init(of: .path(path), body)
    }

    /// Answers changes of a selection, which a selector or a closure derives from the state.
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
