// SPDX-License-Identifier: MIT

package import OnwardCore

extension Registration {
    /// Responds with effects to one type of action.
    mutating func respond<A: Action>(
        to type: A.Type, with body: @escaping @Sendable (A, EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        let closure: EffectClosure =
            if let read = EffectContext<State>.reader(of: lens) {
                LastingClosure(reading: read, body)
            } else {
                InstanceClosure(at: lens, body)
            }
        compiler.add(
            Responder(closure, of: State.self, at: lens, order: compiler.nextOrder()), for: type)
    }

    /// Responds with effects to one type of action, with the state right after it.
    mutating func respond<A: Action>(
        to type: A.Type, with body: @escaping @Sendable (State, A, EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        compiler.add(
            Responder(
                StateClosure(at: lens, body), of: State.self, at: lens,
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
