// SPDX-License-Identifier: MIT

// Running reducers without a commit, and replacing them.

extension Engine {
    /// Runs reducers on a state that is not the store's; what they dispatch is refused.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - state: The state before the first one.
    ///   - refused: Called with each entry that no reducer took, and a row on its way that was not
    ///     found because several rows have its text.
    /// - Returns: The state after the last one.
    func replay<State>(
        _ entries: some Sequence<LogEntry>, from state: State,
        refused: (LogEntry, RowKey?) -> Void = { _, _ in }
    ) -> State {
        var state = state
        func run(_ features: CompiledFeatures) {
            withUnsafeMutablePointer(to: &state) { pointer in
                for entry in entries where entry.kind == .action {
                    let address = entry.address.hasRowTexts ? entry.address.recorded : entry.address
                    let outcome = features.reduce(
                        UnsafeMutableRawPointer(pointer), entry.action, to: address,
                        stamp: Stamp(entry.givenStamp))
                    if outcome != .reduced {
                        refused(entry, features.sharedRow(on: address, in: pointer))
                    }
                }
            }
        }
        guard !isInsideReducer else {
            run(whole { $0.state.features })
            return state
        }
        let features = withLock { locked in
            locked.state.callbacksInProgress += 1
            return locked.state.features
        }
        defer { endCallback() }
        ThreadFrame.push(engine: id, chain: nil, kind: .replay) { run(features) }
        return state
    }

    /// Runs other features from the next dispatch on.
    func replace(_ features: CompiledFeatures) {
        // Released after the lock: what closures refer to may use the store when it goes.
        var old: CompiledFeatures?
        let following = withLockUnlessReducing(as: .replaceFeatures) { locked in
            old = locked.state.features
            locked.state.features = features
            return notifyFeaturesObservers(locked)
        }
        withExtendedLifetime(old) {}
        for follow in following ?? [] { follow() }
    }
}
