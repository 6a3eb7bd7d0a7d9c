// SPDX-License-Identifier: MIT

/// A registered `React` without its types.
class Reaction: @unchecked Sendable {  // Immutable, here and in its one subclass.
    let place: Place
    /// The position among all parts of the store.
    final let order: Int

    init(place: Place, order: Int) {
        self.place = place
        self.order = order
    }

    /// What the closure answers; nil when the instance is gone.
    func effect(of action: any Action, in scope: EffectScope) -> Effect? { nil }
}

/// The answers to one type of action.
// Immutable, hence `@unchecked`.
final class TypedReaction<Slice: Sendable, A: Action>: Reaction, @unchecked Sendable {
    private let body: @Sendable (A, EffectContext<Slice>) -> Effect

    init(
        place: Place, order: Int, body: @escaping @Sendable (A, EffectContext<Slice>) -> Effect
    ) {
        self.body = body
        super.init(place: place, order: order)
    }

    override func effect(of action: any Action, in scope: EffectScope) -> Effect? {
        guard let action = action as? A, let context = EffectContext<Slice>(of: place, scope)
        else { return nil }
        return body(action, context)
    }
}

extension EffectContext {
    /// The context of an instance at a place; nil when the instance is gone.
    init?(of place: Place, _ scope: EffectScope) {
        guard place.finder != nil else {
            let projection = Projection<State>(range: place.range, derive: nil)
            self.init(scope) { [engine = scope.engine] in engine.read(projection) }
            return
        }
        let first: State? = scope.engine.instance(at: place, of: scope)
        guard let first else { return nil }
        let last = Guarded(first)
        self.init(scope) {
            guard !scope.lease.isOver else { return last.withValue { $0 } }
            let found: State? = scope.engine.instance(at: place, of: scope)
            guard let found else { return last.withValue { $0 } }
            // The one before is let go of outside the lock.
            var seen = found
            last.withValue { swap(&$0, &seen) }
            return found
        }
    }
}
