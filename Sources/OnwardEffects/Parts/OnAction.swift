// SPDX-License-Identifier: MIT

public import OnwardCore

/// Answers actions of one type with effects: what the outside world must do.
///
/// ```swift
/// OnAction { (action: GameAction, context) -> Effect in
///     switch action {
///     case .newGame: .run(id: "covers", .latest) { … }
///     default: .none
///     }
/// }
/// ```
///
/// The closure is called once for each entry that was accepted, after the commit, outside the lock,
/// by the thread that delivers: one call at a time, in the order of the commits, after the observers
/// and before the subscribers. It decides and returns; the work is done by the effect. For a feature
/// in several places it is called for each instance that the action is meant for.
///
/// It is not called during a replay, nor while the gate is travelled.
public struct OnAction<State: Sendable, A: Action>: Part {
    private let body: @Sendable (A, EffectContext<State>) -> Effect

    /// An answer to actions of type `A`.
    public init(_ body: @escaping @Sendable (A, EffectContext<State>) -> Effect) {
        self.body = body
    }

    /// Registers the closure for `A`.
    public func register(in registration: inout Registration<State>) {
        registration.react(A.self, with: body)
    }
}
