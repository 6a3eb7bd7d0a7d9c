// SPDX-License-Identifier: MIT

public import OnwardCore

extension Registration {
    /// Adds an answer with effects to one type of action.
    public mutating func react<A: Action>(
        _ type: A.Type, with body: @escaping @Sendable (A, EffectContext<State>) -> Effect
    ) {
        compiler.require(EffectRunner.self)
        let reaction: Reaction =
            if let read = EffectContext<State>.reader(of: lens) {
                TypedStoreLifetimeReaction(body: body, reading: read)
            } else {
                InstanceReaction(lens: lens, body: body)
            }
        compiler.add(Responder(reaction, at: lens, order: compiler.nextOrder()), for: type)
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
                lens: lens, order: compiler.nextOrder(), path: path, read: read, effect: effect))
    }
}
