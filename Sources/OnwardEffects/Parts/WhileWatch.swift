// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A registered `While` without its types.
protocol WhilePart: ProgramPiece {
    /// What looks after its effects in a store.
    func watch(in engine: Engine, _ runner: EffectRunner, isPaused: Bool) -> WhileWatch
}

/// A registered `While`.
struct TypedWhile<
    Slice: Sendable, Field: Equatable & Sendable, Value: Equatable & Sendable
>: WhilePart {
    let place: Place
    let order: Int
    let path: any KeyPath<Slice, Field> & Sendable
    let read: @Sendable (Field) -> Value?
    let effect: @Sendable (Value, EffectContext<Slice>) -> Effect

    func watch(in engine: Engine, _ runner: EffectRunner, isPaused: Bool) -> WhileWatch {
        TypedWhileWatch(self, engine, runner, isPaused: isPaused)
    }

    /// The values of the instances that an address names; those without one are left out.
    func values(at address: Address, from start: UnsafeRawPointer) -> [[RowKey]: Value] {
        var values: [[RowKey]: Value] = [:]
        place.look(at: address, from: start) { rows, slice in
            let slice = slice.assumingMemoryBound(to: Slice.self)
            values[rows] = read(slice.pointee[keyPath: path])
        }
        return values
    }
}

/// Looks after the effects of one `While`: the shell around `WhileRows`.
class WhileWatch: @unchecked Sendable {  // Stateless; its one subclass guards what it holds.
    /// Starts whatever the state says should live, and follows it.
    func begin() {}
    func pause() {}
    func resume() {}
    /// Cancels all and no longer follows the state.
    func end() {}
}

final class TypedWhileWatch<
    Slice: Sendable, Field: Equatable & Sendable, Value: Equatable & Sendable
>: WhileWatch, @unchecked Sendable {  // Everything mutable is in `state`.
    private typealias Rows = WhileRows<[RowKey], Value>

    private struct State {
        var rows: Rows
        var effects: [[RowKey]: (scope: EffectScope, life: EffectLife?)] = [:]
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
        if part.place.finder == nil {
            token = followField()
        } else if let table = part.place.table, part.place.steps.count(where: \.isRow) == 1 {
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
        let slice = Projection<Slice>(range: part.place.range, derive: nil)
        return follow(slice.appending(part.path)) { [part] (field: Field) in
            part.read(field).map { [[]: $0] } ?? [:]
        }
    }

    /// Follows the property of each row of a table, at the cost of what changed there.
    private func followRows(of table: TrackedTable) -> Subscription {
        let selection = Selection(range: part.place.range, of: table.type)
        return engine.subscribe(
            to: selection, of: nil, at: nil, key: nil, isSame: nil,
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
                ([row], part.values(at: part.place.address(of: [row]), from: new)[[row]])
            })
    }

    /// Follows the property of each instance; looks at all of them.
    private func followInstances() -> Subscription {
        let part = part
        let start = part.place.range.lowerBound
        let values = Projection<[[RowKey]: Value]>(range: part.place.range) { root in
            part.values(at: .root, from: root + start)
        }
        return follow(values) { $0 }
    }

    private func follow<Selected: Equatable & Sendable>(
        _ projection: Projection<Selected>,
        _ values: @escaping @Sendable (Selected) -> [[RowKey]: Value]
    ) -> Subscription {
        engine.subscribe(
            to: Selection(projection), of: nil, at: nil, key: nil,
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
        guard part.place.finder != nil, !state.rows.isPaused else { return false }
        return state.effects[rows]?.life?.isOver ?? true
    }

    /// Whether there is such an instance.
    private var hasOrphan: Bool {
        guard part.place.finder != nil else { return false }
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
        let address = part.place.address(of: rows)
        var life: EffectLife?
        if part.place.finder != nil {
            life = engine.life(at: part.place, address)
            if life == nil { return }
        }
        let scope = EffectScope(
            engine: engine, runner: runner, kind: .state, life: life, address: address, action: nil,
            startedBy: ThreadFrame.innermost(of: engine.id)?.entry, order: part.order)
        defer { scope.letGo() }
        let context = EffectContext<Slice>(of: part.place, scope)
        let isLate = state.withValue { state in
            if !state.isEnded { state.effects[rows] = (scope, life) }
            return state.isEnded
        }
        if isLate {
            life?.letGo(engine)
        } else if let context {
            runner.begin(part.effect(value, context), in: scope)
        }
    }

    /// Ends the effect of an instance, and no longer looks after it.
    private func end(_ effect: (scope: EffectScope, life: EffectLife?)) {
        runner.cancel(effect.scope)
        effect.life?.letGo(engine)
    }
}
