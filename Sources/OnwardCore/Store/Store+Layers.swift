// SPDX-License-Identifier: MIT

// What layers above the core ask of a store, and have it call.

extension Store {
    /// Whether a reducer is registered for a type of action at an address, seen from this store.
    ///
    /// For actions from outside, whose address may be wrong: dispatching such an action would be a
    /// programmer error of the store, but the mistake is the sender's. Rows and optional slices count as present.
    ///
    /// - Complexity: O(handlers of the type).
    package func handles(_ type: any Action.Type, at address: Address = .root) -> Bool {
        let features = engine.whole { $0.state.features }
        return features.route(for: type)?.handles(self.address.appending(address)) ?? false
    }

    /// What is wrong with features whose log is to be kept: scopes and rows that it could not name.
    ///
    /// - Complexity: O(scopes).
    package var recordingMistake: ProgrammerError? {
        let features = engine.whole { $0.state.features }
        if let path = features.unnamedScopes.first { return .unnamedScope(path) }
        let places = features.rows.filter { !$0.value.isCoded }
            .map { (place: $0.key.text, type: "\($0.value.idType)") }
        return places.isEmpty
            ? nil : .unrecordableRows(places.sorted { $0.place < $1.place })
    }

    /// Whether the current thread is inside a reducer of this store.
    package var isReducing: Bool { engine.isInsideReducer }

    /// The delivery that the current thread is making; nil outside of one.
    package var delivery: DeliveryMark? {
        guard let frame = ThreadFrame.innermost(of: engine.id), frame.generation >= 0 else {
            return nil
        }
        return DeliveryMark(
            version: frame.version, generation: frame.generation, chain: frame.chain)
    }

    /// Makes a call that is due apart from any delivery, or was left over from one.
    ///
    /// What it dispatches has the marked entry as its parent, and counts as an answer to it.
    package func call<Result>(as mark: DeliveryMark, _ body: () -> Result) -> Result {
        beginCallback()
        defer { endCallback() }
        return ThreadFrame.push(
            engine: engine.id, version: mark.version, generation: mark.generation,
            chain: mark.chain, body)
    }

    /// Dispatches an action that was decided elsewhere, as its entry says: no check is asked again, and reducers get the
    /// entry's stamp.
    ///
    /// For stores without middlewares.
    package func dispatch(recorded entry: LogEntry) -> DispatchResult {
        dispatch(entry, with: Stamp(entry.givenStamp), as: .recorded)
    }

    /// Dispatches an action that another store, which is ahead of this one, has shown already: checks are asked as for any
    /// action, and reducers get the entry's stamp, so that they make the same ids.
    ///
    /// Where a middleware passes the action on, reducers get a stamp of this store.
    package func dispatch(proposed entry: LogEntry) -> DispatchResult {
        guard let stamp = entry.stamp else { return dispatch(entry) }
        return dispatch(entry, with: Stamp(stamp), as: .callback)
    }

    /// Dispatches the action of an entry, with a stamp for its reducers.
    private func dispatch(
        _ entry: LogEntry, with stamp: Stamp, as kind: ThreadFrame.Kind
    ) -> DispatchResult {
        beginCallback()
        defer { endCallback() }
        return withExtendedLifetime(stamp) {
            ThreadFrame.push(
                engine: engine.id, generation: -1, chain: nil, kind: kind, stamp: stamp
            ) { dispatch(entry) }
        }
    }

    /// Dispatches the action of an entry.
    private func dispatch(_ entry: LogEntry) -> DispatchResult {
        func open(_ action: some Action) -> DispatchResult {
            dispatch(
                action, to: entry.address, file: entry.origin.file, line: entry.origin.line)
        }
        return open(entry.action)
    }

    /// Says that something is still to be called, which `waitUntilIdle()` waits for.
    package func beginCallback() {
        engine.withLock { $0.state.callbacksInProgress += 1 }
    }

    /// Ends what `beginCallback` began.
    package func endCallback() {
        engine.endCallback()
    }

    /// Has a call made by the holder of the turn, one at a time with all rounds; by this thread if there is none.
    package func callInTurn(_ call: @escaping @Sendable () -> Void) { engine.callInTurn(call) }

    /// How many calls may wait for a subscriber.
    package var waitingCommits: Int { engine.options.limits.waitingCommits }
}
