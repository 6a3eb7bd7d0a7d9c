// SPDX-License-Identifier: MIT

public import OnwardCore

/// Answers actions of one type with effects: what the outside world must do.
///
/// ```swift
/// OnAction { (game, action: GameAction, context) -> Effect in
///     switch action {
///     case .newGame:
///         .run(id: "covers", .latest) { [category = game.category] in
///             context.dispatch(GameAction.dealt(try await catalogue.covers(of: category)))
///         }
///     default: .none
///     }
/// }
/// ```
///
/// The closure gets the state as the action left it. What an effect needs of it, it captures: when the effect
/// runs, later actions may have changed the state, and ``EffectContext/current`` is that later one. A closure that
/// needs no state leaves the parameter out, and costs less.
///
/// The closure is called once for each entry that was accepted, after the commit, outside the lock,
/// by the thread that delivers: one call at a time, in the order of the commits, after the observers
/// and before the subscribers. It decides and returns; the work is done by the effect. For a feature
/// in several places it is called for each instance that the action is meant for.
///
/// It is not called during a replay, nor while the commit gate is travelled.
public struct OnAction<State: Sendable, A: Action>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// An answer to actions of type `A` that takes the state as the action left it.
    ///
    /// The state is copied with the commit, under the store's lock, which copies no array or table. But while the
    /// copy is held, until the closure has returned and as long as an effect keeps it, the next reducer that changes
    /// such a collection copies it: capture the parts that the effect needs, not the whole.
    ///
    /// - Complexity: O(size of the state's struct) per action, and a few allocations.
    public init(_ body: @escaping @Sendable (State, A, EffectContext<State>) -> Effect) {
        enter = { $0.respond(to: A.self, with: body) }
    }

    /// An answer to actions of type `A` that needs no state.
    public init(_ body: @escaping @Sendable (A, EffectContext<State>) -> Effect) {
        enter = { $0.respond(to: A.self, with: body) }
    }

    /// Registers the closure for `A`.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}
