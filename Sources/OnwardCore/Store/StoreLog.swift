// SPDX-License-Identifier: MIT

/// A store as the log of what was committed: an app is a fold of it.
///
/// For code that is built upon a store rather than with it. Everything except reading belongs to the store
/// of a whole app; asking the store of a slice for it stops the program.
public struct StoreLog<State: Sendable>: Sendable {
    @usableFromInline package let store: Store<State>
    private var engine: Engine { store.engine }

    @usableFromInline
    init(of store: Store<State>) { self.store = store }

    /// The state now, together with its version.
    @inlinable
    public var snapshot: (state: State, version: Version) { store.snapshot }

    /// The number of commits so far; inside a reducer, where asking is a misuse, the number of those before.
    public var version: Version { store.version }

    /// The action types that the store handles, by the names that entries have.
    public var actions: ActionRegistry { engine.whole { $0.state.features }.actions }

    /// Has an observer read every entry from the next commit on, until the token is released.
    public func attach(_ observer: some CommitObserver<State>) -> Subscription {
        requireRoot("An observer")
        return engine.attach(observer)
    }

    /// Has an observer read every entry from a moment on, of which this is the state.
    package func attachWithSnapshot(
        _ observer: some CommitObserver<State>
    ) -> (Subscription, (state: State, version: Version)) {
        requireRoot("An observer")
        let (token, copy, version) = engine.attachWithState(observer)
        return (token, (state: copy.withPointer(store.getter.read), version: version))
    }

    /// Has an observer read everything that is committed so far, on this thread or on the one that is calling it
    /// already.
    ///
    /// Usually it has; so this is for an observer that must not miss what other threads have just committed. Inside
    /// a call of that observer, and inside a reducer, it does nothing.
    ///
    /// - Parameter token: That of the observer.
    public func catchUp(_ token: Subscription) {
        guard let registration = token.listener as? ObserverRegistration else { return }
        engine.notify(registration)
    }

    /// Has a gate asked about every action from here on, behind those that were attached before.
    ///
    /// - Returns: what the gate steers the store with.
    /// - Complexity: O(gates) for each action then.
    public func attach(gate: some CommitGate<State>) -> CommitGateController<State> {
        requireRoot("A gate")
        let gate = AnyCommitGate(gate)
        engine.attach(gate)
        return CommitGateController(engine: engine, gate: gate)
    }

    /// The state after running entries from a state: no middleware or observer runs, no subscriber is notified,
    /// and this store's own state stays as it is.
    ///
    /// Entries of the kind `.travel`, and actions that no feature handles, change nothing. An action that a
    /// reducer dispatches is refused, as always.
    ///
    /// - Complexity: O(entries).
    public func replay(_ entries: some Sequence<Entry>, from state: State) -> State {
        requireRoot("A replay")
        return engine.replay(entries, from: state)
    }

    /// What ``replay(_:from:)`` does; `refused` is called with each entry that no reducer took.
    package func replay(
        _ entries: some Sequence<Entry>, from state: State, refused: (Entry) -> Void
    ) -> State {
        requireRoot("A replay")
        return engine.replay(entries, from: state, refused: refused)
    }

    /// What ``replay(_:from:)`` does, even once the store was released.
    package func replayer() -> @Sendable (_ entries: [Entry], _ state: State) -> State {
        requireRoot("A replay")
        return { [engine] in engine.replay($0, from: $1) }
    }

    /// Has the engine say in a block of memory which action it reduces, while observers read the log; nil ends
    /// that.
    package func mark(_ mark: ReductionMark?) {
        store.engine.mark(mark)
    }

    /// Waits until all listeners have been notified of a commit, and of those before it.
    ///
    /// When `dispatch` returns, its commit may still have to be notified: by a thread that was already notifying
    /// others, or by the one that closes a batch. A task that needs to know that it was notified waits here:
    ///
    /// ```swift
    /// if let version = store.dispatch(Deposit(5)).version {
    ///     await store.log.waitUntilNotified(of: version)
    /// }
    /// ```
    ///
    /// Then observers and subscribers without an actor have been called, except those whose throttle or whose
    /// first call defers it; calls on actors are on their way. While a batch is open, it waits for the end
    /// of the batch. It does not wait for a version that isn't there yet: that counts as the present one.
    ///
    /// From any thread; not within a batch of the same task. Cancelling the task doesn't end the wait, which
    /// is as long as subscribers take.
    ///
    /// - Complexity: O(tasks that wait) for each commit that is notified meanwhile.
    /// - Parameter version: The version of the commit, as ``DispatchResult/version`` gives it.
    public func waitUntilNotified(of version: Version) async {
        await engine.waitUntilNotified(of: version)
    }

    /// Replaces the features while the store runs; the state and all listeners stay.
    ///
    /// A dispatch that is under way on another thread finishes with the middleware it started with.
    /// Work that was started by an action continues to its end; work that the old features keep alive while
    /// the state says so ends, and that of the new features starts.
    public func replaceFeatures(@FeatureBuilder<State> _ features: () -> [any Part<State>]) {
        requireRoot("A change of features")
        let compiled = CompiledFeatures(
            for: State.self, features(), engine.options, end: ChainEnd())
        engine.replace(compiled)
    }

    private func requireRoot(_ what: String) {
        precondition(
            store.address == .root,
            """
            \(what) belongs to the store of the whole app, but was given to the store scoped to \
            "\(store.address)". To fix this, use the store from which that one was scoped.
            """)
    }
}
