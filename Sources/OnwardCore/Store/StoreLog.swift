// SPDX-License-Identifier: MIT

/// A store seen as the log of its commits: an app is a fold over it.
///
/// For code built on top of a store rather than with it. Everything except reading requires the
/// store of a whole app; using it on the store of a slice stops the program.
public struct StoreLog<State: Sendable>: Sendable {
    @usableFromInline package let store: Store<State>
    private var engine: Engine { store.engine }

    @usableFromInline
    init(of store: Store<State>) { self.store = store }

    /// The current state with its version.
    @inlinable
    public var snapshot: (state: State, version: CommitVersion) { store.snapshot }

    /// The number of commits so far; inside a reducer, where reading it is a programmer error, of those
    /// before.
    public var version: CommitVersion { store.version }

    /// The action types that the store handles, by the names that entries have.
    public var actions: ActionRegistry { engine.whole { $0.state.features }.actions }

    /// Attaches an observer, which reads every entry from the next commit on until the token is
    /// released.
    public func attach(_ observer: some CommitObserver<State>) -> Subscription {
        requireRoot("An observer")
        return engine.attach(observer)
    }

    /// Has an observer read every entry from a moment on, of which this is the state.
    package func attachWithSnapshot(
        _ observer: some CommitObserver<State>
    ) -> (Subscription, (state: State, version: CommitVersion)) {
        requireRoot("An observer")
        let (token, copy, version) = engine.attachWithState(observer)
        return (token, (state: copy.withPointer(store.getter.read), version: version))
    }

    /// Makes an observer read everything committed so far, on this thread or on the one that is
    /// already calling it.
    ///
    /// Usually it already has; use this for an observer that must not miss what other threads have
    /// just committed. Inside a call of that observer, and inside a reducer, it does nothing. If two
    /// observers do this with each other on two threads, one of them doesn't wait, and
    /// `ProgrammerError.Kind.observersWaiting` is reported.
    ///
    /// - Parameter token: The token of the observer.
    public func deliver(to token: Subscription) {
        guard let registration = token.listener as? ObserverRegistration else { return }
        engine.notify(registration)
    }

    /// Attaches a gate, which is asked about every action from here on, after those attached
    /// before.
    ///
    /// - Returns: The controller through which the gate controls the store.
    /// - Complexity: O(gates) for each action from then on.
    public func attach(gate: some CommitGate<State>) -> CommitGateController<State> {
        requireRoot("A gate")
        let gate = AnyCommitGate(gate)
        engine.attach(gate)
        return CommitGateController(engine: engine, gate: gate)
    }

    /// The state after replaying entries from a state: no middleware or observer runs, no
    /// subscriber is notified, and this store's own state does not change.
    ///
    /// Entries of the kind `.travel`, and actions that no feature handles, change nothing. An
    /// action that a reducer dispatches is refused, as always.
    ///
    /// - Complexity: O(entries).
    public func replay(_ entries: some Sequence<LogEntry>, from state: State) -> State {
        requireRoot("A replay")
        return engine.replay(entries, from: state)
    }

    /// What ``replay(_:from:)`` does; `refused` is called with each entry that no reducer took, and a
    /// row on its way that was not found because several rows have its text.
    package func replay(
        _ entries: some Sequence<LogEntry>, from state: State, refused: (LogEntry, RowKey?) -> Void
    ) -> State {
        requireRoot("A replay")
        return engine.replay(entries, from: state, refused: refused)
    }

    /// Replays like ``replay(_:from:)``, even once the store was released.
    package func replayer() -> @Sendable (_ entries: [LogEntry], _ state: State) -> State {
        requireRoot("A replay")
        return { [engine] in engine.replay($0, from: $1) }
    }

    /// Has the engine say in a block of memory which action it reduces, while observers read the
    /// log; nil ends that.
    package func mark(_ mark: ReductionMark?) {
        store.engine.mark(mark)
    }

    /// Waits until all listeners have been notified of a commit and of all earlier ones.
    ///
    /// When `dispatch` returns, its commit may not have been notified yet: another thread that was
    /// already notifying, or the one that closes a batch, will do so. A task that needs it to be
    /// notified waits here:
    ///
    /// ```swift
    /// if let version = store.dispatch(Deposit(5)).version {
    ///     await store.log.waitUntilNotified(of: version)
    /// }
    /// ```
    ///
    /// After that, observers and subscribers without an actor have been called, except those
    /// deferred by a throttle or by their first call; calls on actors are on their way. While a
    /// batch is open, it waits for the end of the batch. It does not wait for a version that
    /// doesn't exist yet: that counts as the current one.
    ///
    /// Call it from any thread, but not within a batch of the same task. Cancelling the task
    /// doesn't end the wait, which lasts as long as subscribers take.
    ///
    /// - Complexity: O(tasks that wait) for each commit that is notified meanwhile.
    /// - Parameter version: The version of the commit, from ``DispatchResult/version``.
    public func waitUntilNotified(of version: CommitVersion) async {
        await engine.waitUntilNotified(of: version)
    }

    /// Replaces the features while the store runs; the state and all listeners stay.
    ///
    /// A dispatch that is under way on another thread finishes with the middleware it started with.
    /// Work started by an action continues to its end; work that the old features keep alive while
    /// the state asks for it ends, and that of the new features starts.
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
