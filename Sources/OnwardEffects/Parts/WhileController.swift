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

    /// The values of the instances that an address names; those without one are left out.
    func values(at address: Address, from start: UnsafeRawPointer) -> [[RowKey]: Value] {
        var values: [[RowKey]: Value] = [:]
        lens.look(at: address, from: start) { rows, slice in
            values[rows] = read(slice)
        }
        return values
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
}

final class TypedWhileController<Slice: Sendable, Value: Equatable & Sendable>:
    WhileController, @unchecked Sendable
{  // Everything mutable is in `state`.
    private typealias Rows = WhileRows<[RowKey], Value>

    private struct Living {
        let owner: EffectOwner
        let lifetime: InstanceLifetime?
        var watch: InstanceWatch?
    }

    private struct State {
        var rows: Rows
        var effects: [[RowKey]: Living] = [:]
        var token: Subscription?
        var isEnded = false
        /// Whether all rows of a table have been looked at.
        var hasBegun = false
    }

    private let part: TypedWhile<Slice, Value>
    private let engine: Engine
    /// Keeps what it runs, so it is not kept here.
    private unowned let runner: EffectRunner
    private let state: Guarded<State>

    init(
        _ part: TypedWhile<Slice, Value>, _ engine: Engine, _ runner: EffectRunner,
        isPaused: Bool
    ) {
        self.part = part
        self.engine = engine
        self.runner = runner
        state = Guarded(State(rows: Rows(isPaused: isPaused)))
    }

    override func begin() {
        let token: Subscription
        if part.lens.finder == nil {
            guard let follow = part.follow else {
                if let value = part.constant { update(to: [[]: value]) }
                return
            }
            token = follow(engine) { [weak self] value in
                self?.update(to: value.map { [[]: $0] } ?? [:])
            }
        } else if let table = part.lens.table, part.lens.steps.count(where: \.isRow) == 1 {
            token = followRows(of: table)
        } else {
            token = followInstances()
        }
        let isLate = state.withValue { state in
            if !state.isEnded { state.token = token }
            return state.isEnded
        }
        if isLate { token.cancel() }
    }

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

    /// Follows the property of each row of a table, at the cost of what changed there.
    private func followRows(of table: TrackedTable) -> Subscription {
        let getter = AnyGetter(range: part.lens.range, of: table.type)
        return engine.subscribe(
            to: getter, of: nil, at: nil, key: nil, isSame: nil,
            Listening(initially: true, actor: nil, here: nil),
            PointerSubscriber { [weak self] old, new in self?.follow(table, from: old, to: new) })
    }

    private func follow(
        _ table: TrackedTable, from old: UnsafeRawPointer, to new: UnsafeRawPointer
    ) {
        let isFirst = state.withValue { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { return update(to: part.values(at: .root, from: new)) }
        change(
            table.changes(old, new).map { row in
                ([row], part.values(at: part.lens.address(of: [row]), from: new)[[row]])
            })
    }

    /// Follows the property of each instance; looks at all of them.
    private func followInstances() -> Subscription {
        let part = part
        let start = part.lens.range.lowerBound
        typealias Values = [[RowKey]: Value]
        let values = Getter<Values>(range: part.lens.range) { root in
            part.values(at: .root, from: root + start)
        }
        return engine.subscribe(
            to: AnyGetter(values), of: nil, at: nil, key: nil,
            isSame: { [weak self] left, right in
                left.assumingMemoryBound(to: Values.self).pointee
                    == right.assumingMemoryBound(to: Values.self).pointee
                    && self?.hasOrphan != true
            },
            Listening(initially: true, actor: nil, here: nil),
            TypedSubscriber { [weak self] (_: Values, new: Values) in self?.update(to: new) })
    }

    /// These instances have values now, and no others.
    private func update(to new: [[RowKey]: Value]) {
        let old = state.withValue { $0.rows.keys }
        change(Set(old).union(new.keys).map { ($0, new[$0]) })
    }

    /// These instances have these values now, or none; called by one thread at a time.
    private func change(_ changes: [([RowKey], Value?)]) {
        let known = state.withValue { state in
            changes.map { (value: state.rows.value(of: $0.0), isOrphan: isOrphan($0.0, state)) }
        }
        // Another instance at the same address starts anew, whatever its value is.
        let real = zip(changes, known).filter { change, known in
            !isUnchanged(known.value, change.1) || (known.isOrphan && known.value != nil)
        }.map(\.0)
        if !real.isEmpty { take { $0.change(real) } }
    }

    /// Whether an instance has the value of one that was at its address before.
    private func isOrphan(_ rows: [RowKey], _ state: State) -> Bool {
        guard part.lens.finder != nil, !state.rows.isPaused else { return false }
        return state.effects[rows]?.lifetime?.isOver ?? true
    }

    /// Whether there is such an instance.
    private var hasOrphan: Bool {
        state.withValue { state in state.rows.keys.contains { isOrphan($0, state) } }
    }

    /// Passes an event to the machine, and takes its steps.
    private func take(_ event: (inout Rows) -> [Rows.Step]) {
        let steps = state.withValue { event(&$0.rows) }
        for step in steps {
            switch step {
            case .stop(let rows, _):
                if let effect = state.withValue({ $0.effects.removeValue(forKey: rows) }) {
                    end(effect)
                }
            case .start(let rows, let value):
                start(rows, value)
            }
        }
    }

    private func start(_ rows: [RowKey], _ value: Value) {
        let address = part.lens.address(of: rows)
        var lifetime: InstanceLifetime?
        if part.lens.finder != nil {
            lifetime = engine.lifetime(at: part.lens, address)
            if lifetime == nil { return }
        }
        let owner = EffectOwner(
            engine: engine, runner: runner, kind: .state, lifetime: lifetime, address: address,
            action: nil, startedBy: ThreadFrame.innermost(of: engine.id)?.entry, order: part.order)
        defer { owner.release() }
        let isLate = state.withValue { state in
            if !state.isEnded { state.effects[rows] = Living(owner: owner, lifetime: lifetime) }
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
                guard state.effects[rows]?.owner === owner else { return true }
                state.effects[rows]?.watch = new
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
