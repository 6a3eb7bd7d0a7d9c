// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A registered `While` without its types.
protocol WhilePart: FeatureExtension {
    /// What looks after its effects in a store.
    func makeController(in engine: Engine, _ runner: EffectRunner, isPaused: Bool)
        -> WhileController
}

/// A registered `While`.
struct TypedWhile<
    Slice: Sendable, Field: Equatable & Sendable, Value: Equatable & Sendable
>: WhilePart {
    let lens: SliceLens
    let order: Int
    let path: any KeyPath<Slice, Field> & Sendable
    let read: @Sendable (Field) -> Value?
    let effect: @Sendable (Value, EffectContext<Slice>) -> Effect

    func makeController(in engine: Engine, _ runner: EffectRunner, isPaused: Bool)
        -> WhileController
    {
        TypedWhileController(self, engine, runner, isPaused: isPaused)
    }

    /// The values of the instances that an address names; those without one are left out.
    func values(at address: Address, from start: UnsafeRawPointer) -> [[RowKey]: Value] {
        var values: [[RowKey]: Value] = [:]
        lens.look(at: address, from: start) { rows, slice in
            let slice = slice.assumingMemoryBound(to: Slice.self)
            values[rows] = read(slice.pointee[keyPath: path])
        }
        return values
    }
}

/// Looks after the effects of one `While`: the shell around `WhileRows`.
class WhileController: @unchecked Sendable {  // Stateless; its one subclass guards what it holds.
    /// Starts whatever the state says should live, and follows it.
    func begin() {}
    func pause() {}
    func resume() {}
    /// Cancels all and no longer follows the state.
    func end() {}
}

final class TypedWhileController<
    Slice: Sendable, Field: Equatable & Sendable, Value: Equatable & Sendable
>: WhileController, @unchecked Sendable {  // Everything mutable is in `state`.
    private typealias Rows = WhileRows<[RowKey], Value>

    private struct State {
        var rows: Rows
        var effects: [[RowKey]: (owner: EffectOwner, lifetime: InstanceLifetime?)] = [:]
        var token: Subscription?
        var isEnded = false
        /// Whether all rows of a table have been looked at.
        var hasBegun = false
    }

    private let part: TypedWhile<Slice, Field, Value>
    private let engine: Engine
    /// Keeps what it runs, so it is not kept here.
    private unowned let runner: EffectRunner
    private let state: Guarded<State>

    init(
        _ part: TypedWhile<Slice, Field, Value>, _ engine: Engine, _ runner: EffectRunner,
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
            token = followField()
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

    /// Follows the property of a slice that is always there.
    private func followField() -> Subscription {
        let slice = Getter<Slice>(range: part.lens.range, derive: nil)
        return follow(slice.appending(part.path)) { [part] (field: Field) in
            part.read(field).map { [[]: $0] } ?? [:]
        }
    }

    /// Follows the property of each row of a table, at the cost of what changed there.
    private func followRows(of table: TrackedTable) -> Subscription {
        let getter = AnyGetter(range: part.lens.range, of: table.type)
        return engine.subscribe(
            to: getter, of: nil, at: nil, key: nil, isSame: nil,
            Listening(initially: true, policy: .every, actor: nil, here: nil),
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
        let values = Getter<[[RowKey]: Value]>(range: part.lens.range) { root in
            part.values(at: .root, from: root + start)
        }
        return follow(values) { $0 }
    }

    private func follow<Selected: Equatable & Sendable>(
        _ getter: Getter<Selected>,
        _ values: @escaping @Sendable (Selected) -> [[RowKey]: Value]
    ) -> Subscription {
        engine.subscribe(
            to: AnyGetter(getter), of: nil, at: nil, key: nil,
            isSame: { [weak self] left, right in
                left.assumingMemoryBound(to: Selected.self).pointee
                    == right.assumingMemoryBound(to: Selected.self).pointee
                    && self?.hasOrphan != true
            },
            Listening(initially: true, policy: .every, actor: nil, here: nil),
            TypedSubscriber { [weak self] (_: Selected, new: Selected) in
                let new = values(new)
                self?.update(to: new)
            })
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
            change.1 != known.value || (known.isOrphan && known.value != nil)
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
        guard part.lens.finder != nil else { return false }
        return state.withValue { state in state.rows.keys.contains { isOrphan($0, state) } }
    }

    /// Asks the machine, and takes its steps.
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
            action: nil,
            startedBy: ThreadFrame.innermost(of: engine.id)?.entry, order: part.order)
        defer { owner.release() }
        let context = EffectContext<Slice>(of: part.lens, owner)
        let isLate = state.withValue { state in
            if !state.isEnded { state.effects[rows] = (owner, lifetime) }
            return state.isEnded
        }
        if isLate {
            lifetime?.release(engine)
        } else if let context {
            runner.begin(part.effect(value, context), in: owner)
        }
    }

    /// Ends the effect of an instance, and no longer looks after it.
    private func end(_ effect: (owner: EffectOwner, lifetime: InstanceLifetime?)) {
        runner.cancel(effect.owner)
        effect.lifetime?.release(engine)
    }
}
