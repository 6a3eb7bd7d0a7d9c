// SPDX-License-Identifier: MIT

package import OnwardCore

extension Registration {
    /// Adds an answer with effects to one type of action.
    mutating func respond<A: Action>(
        to type: A.Type, with body: @escaping @Sendable (A, EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        let reaction: Reaction =
            if let read = EffectContext<State>.reader(of: lens) {
                TypedStoreLifetimeReaction(body: body, reading: read)
            } else {
                InstanceReaction(lens: lens, body: body)
            }
        compiler.add(
            Responder(reaction, of: State.self, at: lens, order: compiler.nextOrder()), for: type)
    }

    /// Adds an answer with effects to one type of action, which receives the state right after the
    /// action.
    mutating func respond<A: Action>(
        to type: A.Type, with body: @escaping @Sendable (State, A, EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        compiler.add(
            Responder(
                StateReaction(lens: lens, body: body), of: State.self, at: lens,
                order: compiler.nextOrder(), takesState: true),
            for: type)
    }

    /// Adds an effect that lives while `read` finds a value in a property.
    package mutating func keep<Field: Equatable & Sendable, Value: Equatable & Sendable>(
        while path: any KeyPath<State, Field> & Sendable,
        _ read: @escaping @Sendable (Field) -> Value?,
        _ effect: @escaping @Sendable (Value, EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        compiler.add(
            TypedWhile(
                at: lens, order: compiler.nextOrder(), path: path, reading: read, effect))
    }

    /// Adds an effect that lives while an instance exists.
    mutating func keepWhilePresent(
        _ effect: @escaping @Sendable (EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        compiler.add(
            TypedWhile<State, Bool>(
                presentAt: lens, order: compiler.nextOrder(), .effect { effect($1) }))
    }

    /// Adds a part that follows each instance with its own subscription.
    mutating func watch(
        _ watch: @escaping @Sendable (WatchedInstance<State>) -> InstanceWatch?
    ) {
        compiler.require(EffectRunner.self)
        compiler.add(
            TypedWhile<State, Bool>(
                presentAt: lens, order: compiler.nextOrder(), .watch(watch)))
    }
}
