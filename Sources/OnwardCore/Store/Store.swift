// SPDX-License-Identifier: MIT

/// Owns a state and is the only place where an action meets a reducer.
///
/// ```swift
/// let store = Store(AppState()) {
///     Scope(\.game, game)
/// }
/// let token = store.subscribe(\.game.moves) { old, new in print(old, "→", new) }
/// store.dispatch(GameAction.flip(7))
/// ```
///
/// ## The contract
///
/// 1. **Serial.** Reducers of a store never run concurrently. Commits are totally ordered: versions
///    1, 2, 3 …
/// 2. **Any thread.** `dispatch`, `state`, `subscribe`, `cancel` may be called from any thread,
///    task or actor, and never deadlock.
/// 3. **Read your writes.** When `dispatch` returns, `state` includes that action, unless the
///    result says that it was withheld or refused.
/// 4. **Forward only, the latest wins.** A subscriber sees committed values in version order, each at most once,
///    never two calls at a time, never a value older than one it saw, nor older than a commit that returned before its
///    round of notifications began. Values that were replaced before its turn came are skipped; within a round all
///    subscribers without isolation see one version. Code that needs every commit reads the log. Equal values are
///    skipped when the value is `Equatable`. `old` is always the last value given to this subscriber, or one
///    that equals it. All this holds when subscribers dispatch, subscribe or cancel from inside
///    their callback.
/// 5. **Fair order.** Per commit, subscribers without isolation are called in the order in which
///    they subscribed; so are those of one actor among themselves.
/// 6. **Cancel means cancel.** After a cancellation on the delivering thread or on the subscriber's
///    actor, there is no further call. From elsewhere, at most the one call that is already under
///    way goes on; `cancelAndWait()` closes that gap. The store keeps no subscriber object alive.
/// 7. **One dispatch, one commit**, however many reducers handle it. `batch` makes many dispatches
///    one notification: each stays a commit and an entry, readable at once; batches nest; a throw
///    delivers what was committed. While a batch is open, no delivery begins. It is not a
///    transaction.
/// 8. **Pure replay.** Running the same entries from the same state gives the same state; neither
///    middleware nor anything that responds to commits runs during replay.
/// 9. **Bounded.** Chains of subscribers that dispatch are limited (1,000 generations, 100,000
///    answers in all branches), and so are middlewares that dispatch (depth 100); beyond that the
///    dispatch is refused, and reported once for each loop, with the names of the actions in it. No
///    stack growth with the length of a chain.
/// 10. **Programmer errors teach.** Dispatching or reading the store from inside a reducer, an action that
///     no feature handles, two features claiming one action name: each is reported with what, which
///     value, why, and how to fix it. Reaching an absent optional slice or row is not a programmer error:
///     nothing is committed, and it is counted.
///
/// A store of a slice (``scoped(to:name:)->Store<Slice>``) is of the same type: it reads that
/// slice, and actions dispatched to it reach only the feature instance there.
public final class Store<State: Sendable>: Sendable {
    @usableFromInline package let engine: Engine
    @usableFromInline package let getter: Getter<State>
    /// The instance that this store dispatches to; ``Address/root`` for the store of a whole app.
    @usableFromInline package let address: Address
    /// Ends the engine when the last store that shares it goes; nil in a borrowed store.
    let lifetime: Lifetime?
    /// Says whether the slice is there; nil if it always is.
    package let presence: Presence?
    /// Notifies of the row whose store this is; nil if it is not that of a table's row.
    @usableFromInline let row: RowSource<State>?

    init(
        engine: Engine, getter: Getter<State>, address: Address, lifetime: Lifetime?,
        presence: Presence? = nil, row: RowSource<State>? = nil
    ) {
        self.engine = engine
        self.getter = getter
        self.address = address
        self.lifetime = lifetime
        self.presence = presence
        self.row = row
    }

    /// Makes a store with an initial state and the features that change it.
    public convenience init(
        _ state: State, options: StoreOptions = StoreOptions(),
        @FeatureBuilder<State> _ features: () -> [any Part<State>]
    ) {
        let compiled = CompiledFeatures(
            for: State.self, features(), options, end: ChainEnd())
        let engine = Engine(
            compiled.begin(with: state), options: options, features: compiled)
        self.init(
            engine: engine, getter: .root, address: .root, lifetime: Lifetime(of: engine))
        for follow in engine.withLock(engine.notifyFeaturesObservers) { follow() }
    }

    /// The current state.
    ///
    /// Reading it inside a reducer is a programmer error and stops the program.
    ///
    /// - Complexity: O(size of the state's struct); what the state refers to is shared, not copied,
    ///   and is copied by the next reducer that changes it while the copy is held.
    @inlinable
    public var state: State { snapshot.state }

    @inlinable
    var snapshot: (state: State, version: CommitVersion) {
        guard getter.derive == nil else { return derivedSnapshot }
        return engine.reading { locked in
            (
                state: locked.address(at: getter.offset)
                    .assumingMemoryBound(to: State.self).pointee,
                version: locked.version
            )
        }
    }

    package var version: CommitVersion { engine.whole { $0.state.version } }

    @usableFromInline
    var derivedSnapshot: (state: State, version: CommitVersion) {
        let (copy, version) = engine.reading { ($0.copyState(), $0.version) }
        return (state: copy.withPointer(getter.read), version: version)
    }
}

/// What the stores of one engine share: when the last one goes, the engine ends.
final class Lifetime: Sendable {
    private let engine: Engine

    init(of engine: Engine) {
        self.engine = engine
    }

    deinit {
        engine.end()
    }
}

extension Store {
    /// The store as the log of its commits, for code that builds on it: observers, gates, journals,
    /// replay.
    @inlinable
    public var log: StoreLog<State> { StoreLog(of: self) }
}

extension Store {
    /// A store whose features only reduce: it replays a log before there is a store that runs.
    ///
    /// No effect starts, whatever the state says.
    package convenience init(
        replaying state: State, options: StoreOptions,
        @FeatureBuilder<State> _ features: () -> [any Part<State>]
    ) {
        let compiled = CompiledFeatures(
            for: State.self, features(), options, end: ChainEnd())
        let engine = Engine(state, options: options, features: compiled)
        self.init(engine: engine, getter: .root, address: .root, lifetime: Lifetime(of: engine))
    }

    /// A store that follows a log decided elsewhere, and the controller of its gate.
    ///
    /// Its features have no middlewares, as the log has what left them. It is paused: nothing
    /// starts, whatever the state says, until the gate resumes it.
    package static func following(
        _ state: State, options: StoreOptions, _ gate: some CommitGate<State>,
        @FeatureBuilder<State> _ features: () -> [any Part<State>]
    ) -> (Store, CommitGateController<State>) {
        let compiled = CompiledFeatures(
            for: State.self, features(), options, end: ChainEnd(), withMiddlewares: false)
        let engine = Engine(state, options: options, features: compiled)
        let store = Store(
            engine: engine, getter: .root, address: .root, lifetime: Lifetime(of: engine))
        let controller = store.log.attach(gate: gate)
        controller.pause()
        for follow in engine.withLock(engine.notifyFeaturesObservers) { follow() }
        return (store, controller)
    }
}
