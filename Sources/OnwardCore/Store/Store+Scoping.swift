// SPDX-License-Identifier: MIT

extension Store {
    /// A store of a slice: reads that slice, and dispatches only to the feature instance there.
    ///
    /// It shares everything with this store and copies nothing.
    ///
    /// The state of an optional slice is nil while the slice is absent. Meanwhile dispatches are
    /// refused as absent. Subscribers receive nil once, and the value again when there is one;
    /// sequences of values end when the slice goes. ``unwrapped()`` gives a store of the value
    /// inside.
    ///
    /// - Parameters:
    ///   - path: The slice, as in the ``Scope`` that placed the feature.
    ///   - name: The step of the address, when the scope was given one.
    /// - Returns: The store of the slice.
    public func scoped<Slice: Sendable>(
        to path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil
    ) -> Store<Slice> {
        let slice = getter.appending(path)
        let row = part { $0[keyPath: path] }
        let own = Presence(ofOptional: slice, row: row)
        return child(slice, at: [.slice(step(path, name))], own ?? presence, row: row)
    }

    /// A store of one row of a collection, found by its id; its state is nil while the row is
    /// absent.
    ///
    /// While the row is absent, it behaves like the store of an absent optional slice.
    ///
    /// - Parameters:
    ///   - row: The row, as `.row(\.tasks, id: 7)`.
    ///   - name: The step of the address, when the scope was given one.
    /// - Returns: The store of the row.
    public func scoped<Row: Sendable>(
        to row: RowPath<State, Row>, name: String? = nil
    ) -> Store<Row?> {
        let slice = row.getter(getter)
        let source = part(row.read) ?? row.source?(borrowed)
        return child(
            slice, at: [.slice(step(row.path, name)), .row(row.key)],
            Presence(of: slice, isUnwrapped: false, row: source), row: source)
    }

    /// A store of the value inside this store's optional state, for a view that is shown while
    /// there is one; nil if there is none now.
    ///
    /// When the slice goes, the store keeps showing the last value read through it, so that a view
    /// can disappear in its own time. Its dispatches are refused as absent, its subscribers are not
    /// notified, its sequences end. When the slice comes back, the store shows it.
    ///
    /// - Complexity: O(1). The last value read is held, so a reducer that changes an array in it
    ///   copies the array. Each subscriber reads for itself, because each may have seen a different
    ///   value last.
    public func unwrapped<Wrapped: Sendable>() -> Store<Wrapped>? where State == Wrapped? {
        guard let last = engine.read(getter).map(LastKnownValue.init) else { return nil }
        return Store<Wrapped>(
            engine: engine, getter: getter.unwrapped(last), address: address,
            lifetime: lifetime, presence: Presence(of: getter, isUnwrapped: true, row: row),
            row: row.map { RowSource(unwrapping: $0, last) })
    }

    // MARK: Making them

    /// This store, without keeping itself alive.
    package var borrowed: Store {
        Store(
            engine: engine, getter: getter, address: address, lifetime: nil,
            presence: presence, row: row)
    }

    /// What reports a part of this store's row; nil if the store is not that of a row.
    private func part<Part>(
        _ select: @escaping @Sendable (State) -> Part
    ) -> RowSource<Part>? {
        row.map { RowSource(of: $0, select) }
    }

    private func child<Slice>(
        _ slice: Getter<Slice>, at steps: [Address.Component], _ presence: Presence?,
        row: RowSource<Slice>?
    ) -> Store<Slice> {
        Store<Slice>(
            engine: engine, getter: slice, address: Address(address.components + steps),
            lifetime: lifetime, presence: presence, row: row)
    }

    private func step(_ path: AnyKeyPath, _ name: String?) -> String {
        let compiler = FeatureCompiler()
        let step = compiler.name(of: path, given: name)
        for mistake in compiler.mistakes { engine.options.report(mistake) }
        return step
    }
}

extension Engine {
    /// The nearest instance around or at an address that can be dismissed; nil if there is none.
    package func presented(around address: Address) -> Address? {
        let features = whole { $0.state.features }
        guard let route = features.route(for: PresentationAction.self) else { return nil }
        var steps = address.components.filter { $0 != .alone }
        while !steps.isEmpty {
            let instance = Address(steps + [.alone])
            if route.handles(instance) { return instance }
            steps.removeLast()
        }
        return nil
    }

    /// A store of the instance of a feature at an address, which keeps nothing alive; nil if it is
    /// absent.
    ///
    /// When the instance goes, it keeps showing what was last read through it, and its subscribers
    /// are not notified any more.
    package func store<Slice: Sendable>(at lens: SliceLens, _ address: Address) -> Store<Slice>? {
        guard lens.finder != nil else {
            return Store(
                engine: self, getter: Getter(range: lens.range, derive: nil), address: address,
                lifetime: nil)
        }
        let first: Slice? = whole { lens.value(of: address, in: $0.root, as: Slice.self) }
        guard let last = first.map(LastKnownValue.init) else { return nil }
        let getter = Getter<Slice>(
            range: lens.range,
            derive: { last.take(lens.value(of: address, in: $0, as: Slice.self)) },
            isThere: { lens.contains(address, in: $0) })
        return Store(engine: self, getter: getter, address: address, lifetime: nil)
    }
}

/// Whether the slice of a store is there: the slice may be optional, or a row.
package struct Presence: Sendable {
    /// Whether the slice is there now.
    package let isPresent: Getter<Bool>
    /// Whether the store shows the slice itself, and keeps showing its last value when it is gone.
    let isUnwrapped: Bool
    private let subscribe: @Sendable (Engine, Subscriber) -> Subscription

    init<Slice>(of slice: Getter<Slice?>, isUnwrapped: Bool, row: RowSource<Slice?>?) {
        self.init(of: slice, isUnwrapped: isUnwrapped, row: row) { $0 != nil }
    }

    /// That of a slice whose type may be optional; nil if it isn't, and so always there.
    init?<Slice>(ofOptional slice: Getter<Slice>, row: RowSource<Slice>?) {
        guard Slice.self is any Absence.Type else { return nil }
        self.init(of: slice, isUnwrapped: false, row: row) {
            ($0 as? any Absence)?.isAbsent == false
        }
    }

    private init<Slice>(
        of slice: Getter<Slice>, isUnwrapped: Bool, row: RowSource<Slice>?,
        _ isThere: @escaping @Sendable (Slice) -> Bool
    ) {
        let isPresent = slice.selecting(
            as: slice.stableSource.map { .presence($0) }, isThere)
        let isSame: Change.IsSame = { $0.load(as: Bool.self) == $1.load(as: Bool.self) }
        self.isPresent = isPresent
        self.isUnwrapped = isUnwrapped
        subscribe = { engine, subscriber in
            let options = Listening(initially: true, actor: nil, here: nil)
            if let row { return row.subscribe(isThere, isSame: isSame, options, subscriber) }
            return engine.subscribe(
                to: AnyGetter(isPresent), of: nil, at: nil,
                key: isPresent.source.map { GroupKey(source: $0, kind: .changes) },
                isSame: isSame, options, subscriber)
        }
    }

    /// Calls `body` when a slice goes that was present at some time since `wasPresent` was read.
    ///
    /// Earlier subscribers are notified of that commit before `body` is called.
    package func atEnd(
        in engine: Engine, wasPresent: Bool, _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        let mayBeGone = wasPresent || isUnwrapped
        let subscriber = PointerSubscriber { old, new in
            let wasPresent = mayBeGone || old.load(as: Bool.self)
            if wasPresent && !new.load(as: Bool.self) { body() }
        }
        return subscribe(engine, subscriber)
    }
}
