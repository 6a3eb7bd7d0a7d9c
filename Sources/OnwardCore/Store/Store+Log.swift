// SPDX-License-Identifier: MIT

extension Store {
    /// Has an observer read every entry from the next commit on, until the token is let go.
    ///
    /// Available for the store of a whole app: the log belongs to the root.
    public func attach(_ observer: some CommitObserver<State>) -> Subscription {
        requireRoot("An observer")
        return engine.attach(observer)
    }

    /// Gives the timeline seat to a timeline.
    ///
    /// - Returns: what the timeline steers the store with; for a second timeline, which is a misuse,
    ///   a seat that does nothing.
    public func attach(timeline: some Timeline<State>) -> TimelineSeat<State> {
        requireRoot("A timeline")
        let judge = TimelineJudge(timeline)
        _ = engine.attach(judge)
        return TimelineSeat(engine: engine, judge: judge)
    }

    /// The state after running entries from a state: no middleware, no observer, nobody is told, and
    /// this store's own state stays as it is.
    ///
    /// Entries of the kind `.travel`, and actions that no feature handles, change nothing. An action
    /// that a reducer dispatches is refused, as ever.
    ///
    /// - Complexity: O(entries).
    public func replay(_ entries: some Sequence<Entry>, from state: State) -> State {
        requireRoot("A replay")
        return engine.replay(entries, from: state)
    }

    /// What ``replay(_:from:)`` does, also once the store was let go of.
    package func replayer() -> @Sendable (_ entries: [Entry], _ state: State) -> State {
        requireRoot("A replay")
        return { [engine] in engine.replay($0, from: $1) }
    }

    /// Replaces the features while the store runs; the state and all listeners stay.
    ///
    /// A dispatch that is under way on another thread finishes with the middleware it started with.
    /// Effects of actions that run go on to their end; those of ``While`` are cancelled, and the new
    /// ones start.
    public func replaceFeatures(@FeatureBuilder<State> _ features: () -> [any Part<State>]) {
        requireRoot("A change of features")
        let program = Program(for: State.self, features(), engine.options.misuse)
        engine.replace(program)
    }

    private func requireRoot(_ what: String) {
        precondition(
            address == .root,
            """
            \(what) belongs to the store of the whole app, but was given to the store scoped to \
            "\(address)". To fix this, use the store from which that one was scoped.
            """)
    }
}
