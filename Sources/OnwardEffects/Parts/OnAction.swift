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
/// The closure receives the state right after the action. Capture what an effect needs from it: by
/// the time the effect runs, later actions may have changed the state, and
/// ``EffectContext/current`` is that later one. A closure that needs no state omits the parameter,
/// and costs less.
///
/// The closure is called once for each accepted entry, after the commit, outside the lock, on the
/// delivering thread: one call at a time, in commit order, after the observers and before the
/// subscribers. It only decides and returns; the effect does the work. For a feature used in
/// several places, it is called for each instance that the action is meant for.
///
/// It is not called during a replay or during time travel.
public struct OnAction<State: Sendable, A: Action>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// Creates an answer to actions of type `A` that receives the state right after the action.
    ///
    /// The state is copied at the commit, under the store's lock, without copying any array or
    /// table. But while the copy is held, until the closure has returned and as long as an effect
    /// keeps it, the next reducer that changes such a collection has to copy it. So capture the
    /// parts that the effect needs, not the whole state.
    ///
    /// - Complexity: O(size of the state's struct) per action, and a few allocations.
    public init(_ body: @escaping @Sendable (State, A, EffectContext<State>) -> Effect) {
        enter = { $0.respond(to: A.self, with: body) }
    }

    /// Creates an answer to actions of type `A` that needs no state.
    public init(_ body: @escaping @Sendable (A, EffectContext<State>) -> Effect) {
        enter = { $0.respond(to: A.self, with: body) }
    }

    /// Registers the closure for `A`.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}
