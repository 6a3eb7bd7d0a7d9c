// SPDX-License-Identifier: MIT

internal import EntityTables
internal import OnwardCore

/// A registered `While` without its types.
protocol WhilePart: FeatureExtension {
    /// Makes the controller of its effects in a store.
    func makeController(in engine: Engine, _ runner: EffectRunner, isPaused: Bool)
        -> WhileController
}

/// A registered `While`, or an `OnChange`.
struct TypedWhile<Slice: Sendable, Value: Equatable & Sendable>: WhilePart {
    /// What lives while an instance has a value.
    enum Life {
        case effect(@Sendable (Value, EffectContext<Slice>) -> Effect)
        /// What follows the instance by a subscription of its own.
        case watch(@Sendable (WatchedInstance<Slice>) -> InstanceWatch?)
    }

    let lens: SliceLens
    let order: Int
    /// The value of an instance, which the pointer points to.
    let read: @Sendable (UnsafeRawPointer) -> Value?
    /// The value of every instance; nil if it depends on the state.
    var constant: Value?
    /// Follows the value of an instance that lives as long as its store; nil for a constant.
    let follow: (@Sendable (Engine, @escaping @Sendable (Value?) -> Void) -> Subscription)?
    let life: Life

    func makeController(in engine: Engine, _ runner: EffectRunner, isPaused: Bool)
        -> WhileController
    {
        TypedWhileController(self, engine, runner, isPaused: isPaused)
    }
}

extension TypedWhile where Value == Bool {
    /// Lives while its instance is there.
    init(presentAt lens: SliceLens, order: Int, _ life: Life) {
        self.init(
            lens: lens, order: order, read: { _ in true }, constant: true, follow: nil, life: life)
    }
}

extension TypedWhile {
    /// Lives while a property has a value.
    init<Field: Equatable & Sendable>(
        at lens: SliceLens, order: Int, path: any KeyPath<Slice, Field> & Sendable,
        reading value: @escaping @Sendable (Field) -> Value?,
        _ effect: @escaping @Sendable (Value, EffectContext<Slice>) -> Effect
    ) {
        self.init(
            lens: lens, order: order,
            read: { value($0.assumingMemoryBound(to: Slice.self).pointee[keyPath: path]) },
            follow: { engine, body in
                let field = Getter<Slice>(range: lens.range, derive: nil).appending(path)
                return engine.subscribe(
                    to: AnyGetter(field), of: nil, at: nil, key: nil,
                    isSame: { left, right in
                        isUnchanged(
                            at: left.assumingMemoryBound(to: Field.self),
                            right.assumingMemoryBound(to: Field.self))
                    },
                    Listening(initially: true, actor: nil, here: nil),
                    TypedSubscriber { (_: Field, new: Field) in body(value(new)) })
            },
            life: .effect(effect))
    }
}

/// Controls the effects of one `While`: the shell around `WhileRows`.
class WhileController: @unchecked Sendable {  // Stateless; its one subclass guards what it holds.
    /// Starts whatever the state says should live, and follows it.
    func begin() {}
    func pause() {}
    func resume() {}
    /// Cancels all and no longer follows the state.
    func end() {}
    /// How many rows and other values on the way to instances it has looked at.
    var visits: Int { 0 }
}

final class TypedWhileController<Slice: Sendable, Value: Equatable & Sendable>:
    WhileController, @unchecked Sendable
{  // Everything mutable is in `state`.
    private typealias Rows = WhileRows<InstanceLeaf, Value>

    private struct Living {
        let owner: EffectOwner
        let lifetime: InstanceLifetime?
        var watch: InstanceWatch?
    }

    private struct State {
        var rows: Rows
        var effects: [InstanceLeaf: Living] = [:]
        var token: Subscription?
        var isEnded = false
    }

    private let part: TypedWhile<Slice, Value>
    private let engine: Engine
    /// Keeps what it runs, so it is not kept here.
    private unowned let runner: EffectRunner
    /// Stands for an instance that lives as long as its store.
    private let single = InstanceLeaf.single()
    /// Follows the instances of a slice that comes and goes.
    private let changes: InstanceChanges<Slice>
    private let state: Guarded<State>

    init(
        _ part: TypedWhile<Slice, Value>, _ engine: Engine, _ runner: EffectRunner,
        isPaused: Bool
    ) {
        self.part = part
        self.engine = engine
        self.runner = runner
        changes = InstanceChanges(of: part.lens)
        state = Guarded(State(rows: Rows(isPaused: isPaused)))
    }

    override func begin() {
        let token: Subscription
        if part.lens.finder == nil {
            guard let follow = part.follow else {
                if let value = part.constant { change([(single, value)]) }
                return
            }
            token = follow(engine) { [weak self] value in
                guard let self else { return }
                change([(single, value)])
            }
        } else {
            token = engine.subscribe(
                to: changes, in: part.lens.range,
                PointerSubscriber { [weak self] _, _ in self?.follow() })
        }
        let isLate = state.withValue { state in
            if !state.isEnded { state.token = token }
            return state.isEnded
        }
        if isLate { token.cancel() }
    }

    override var visits: Int { changes.visits }

    override func pause() {
        take { $0.pause() }
    }

    override func resume() {
        take { $0.resume() }
    }

    override func end() {
        let (token, effects) = state.withValue { state in
            defer {
                state.token = nil
                state.effects = [:]
                state.isEnded = true
            }
            return (state.token, state.effects.values)
        }
        token?.cancel()
        for effect in effects { end(effect) }
    }

    /// Takes the values of the instances that may have changed.
    private func follow() {
        var new: [(InstanceLeaf, Value?)] = []
        for found in changes.take() {
            let value = found.value.flatMap { value in
                withUnsafePointer(to: value) { part.read($0) }
            }
            new.append((found.leaf, value))
        }
        change(new)
    }

    /// These instances have these values now, or none; called by one thread at a time.
    private func change(_ changes: [(InstanceLeaf, Value?)]) {
        // Mostly one, which leaves everything as it is. Loops, because in code for all types each
        // combination of sequences would look up types of its own, which costs more than the rest.
        var real: [(InstanceLeaf, Value?)] = []
        for (leaf, value) in changes {
            let known = state.withValue { $0.rows.value(of: leaf) }
            if !isUnchanged(known, value) { real.append((leaf, value)) }
        }
        if !real.isEmpty { take { $0.change(real) } }
    }

    /// Passes an event to the machine, and takes its steps.
    private func take(_ event: (inout Rows) -> [Rows.Step]) {
        let steps = state.withValue { event(&$0.rows) }
        var ended: [InstanceLeaf: EffectOwner] = [:]
        for step in steps {
            switch step {
            case .stop(let leaf, _):
                if let effect = state.withValue({ $0.effects.removeValue(forKey: leaf) }) {
                    ended[leaf] = effect.owner
                    end(effect)
                }
            case .start(let leaf, let value):
                start(leaf, value, after: ended[leaf])
            }
        }
    }

    private func start(_ leaf: InstanceLeaf, _ value: Value, after before: EffectOwner?) {
        var lifetime: InstanceLifetime?
        if part.lens.finder != nil {
            lifetime = engine.lifetime(at: part.lens, of: leaf, for: changes)
            if lifetime == nil { return }
        }
        let address = lifetime?.address ?? part.lens.address(of: [])
        let owner = EffectOwner(
            engine: engine, runner: runner, kind: .state, lifetime: lifetime, address: address,
            action: nil, startedBy: ThreadFrame.innermost(of: engine.id)?.entry, order: part.order)
        defer { owner.release() }
        if let before { owner.continueTicks(of: before) }
        let isLate = state.withValue { state in
            if !state.isEnded { state.effects[leaf] = Living(owner: owner, lifetime: lifetime) }
            return state.isEnded
        }
        if isLate {
            lifetime?.release(engine)
            return
        }
        switch part.life {
        case .effect(let effect):
            guard let context = EffectContext<Slice>(of: part.lens, owner) else { return }
            runner.begin(effect(value, context), in: owner)
        case .watch(let watch):
            let instance = WatchedInstance<Slice>(
                lens: part.lens, address: address, lifetime: lifetime, order: part.order,
                engine: engine, runner: runner)
            let new = watch(instance)
            let isOver = state.withValue { state in
                guard state.effects[leaf]?.owner === owner else { return true }
                state.effects[leaf]?.watch = new
                return false
            }
            if isOver { new?.end() }
        }
    }

    /// Ends the effect of an instance, and stops tracking it.
    private func end(_ effect: Living) {
        effect.watch?.end()
        runner.cancel(effect.owner)
        effect.lifetime?.release(engine)
    }
}
