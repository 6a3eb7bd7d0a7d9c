// SPDX-License-Identifier: MIT

internal import Onward

/// The store for a node's readers: it shows what is acknowledged, and nothing else changes it.
///
/// Its gate accepts the entries that the node shows, and proposes anything else that is dispatched.
/// It is paused, so that no effect starts, except while its node owns the store.
final class ReplicaStore<State: Sendable>: Sendable {
    let store: Store<State>
    private let gate: ReplicaGate<State>
    private let controller: CommitGateController<State>
    private let versions = Guarded(LogVersions())

    /// Creates a store that calls `propose` with what is dispatched, and with the epoch whose
    /// effect dispatched it; nil for what comes from outside.
    init(
        _ state: State, _ options: StoreOptions,
        @FeatureBuilder<State> _ features: () -> [any Part<State>],
        propose: @escaping @Sendable (PendingCommit, _ epoch: UInt64?) -> Void
    ) {
        gate = ReplicaGate(propose)
        (store, controller) = Store.following(state, options: options, gate, features)
        gate.guardStore(store)
    }

    // MARK: Epochs

    /// The node owns the store: what the state keeps alive starts, and so does what entries start.
    func begin(_ epoch: UInt64) {
        gate.begin(epoch, after: store.version)
        let version = logVersion(of: store.version)
        // By a commit, so that what starts now is later than what an earlier epoch started.
        install(resuming: true, at: version) { store.state }
    }

    /// The node no longer owns the store: what the state keeps alive ends.
    func end() {
        guard gate.end() else { return }
        controller.pause()
    }

    // MARK: Showing

    /// Shows the result of applying entries to the state.
    ///
    /// - Parameters:
    ///   - entries: The entries, in order.
    ///   - isStarting: Whether this node decided an entry as the current owner, so that its effects
    ///     start.
    /// - Returns: False if someone else's gate kept one.
    func show(_ entries: [LogEntry], where isStarting: (CommitVersion) -> Bool) -> Bool {
        if entries.isEmpty { return true }
        if let entry = entries.first, entries.count == 1 { return show(entry, isStarting) }
        return store.batch { entries.allSatisfy { show($0, isStarting) } }
    }

    private func show(_ entry: LogEntry, _ isStarting: (CommitVersion) -> Bool) -> Bool {
        if !isStarting(entry.version) { end() }
        while true {
            let version = store.version
            switch commit(entry, behind: version) {
            case .accepted, .refused(.unhandled), .refused(.absent): return true
            // Another gate has installed something in the meantime.
            case .withheld, .refused: if store.version == version { return false }
            }
        }
    }

    private func commit(_ entry: LogEntry, behind version: CommitVersion) -> DispatchResult {
        // Before anyone can see it.
        note(entry.version, behind: version)
        gate.open(behind: version)
        defer { gate.close() }
        return store.dispatch(recorded: entry)
    }

    /// Shows a state that can't be derived from what is shown.
    func show(_ state: State, at version: CommitVersion) {
        end()
        install(resuming: false, at: version) { state }
    }

    /// The version of the log that a recent version of the store shows.
    func logVersion(of version: CommitVersion) -> CommitVersion {
        versions.withValue { $0[version] }
    }

    private func note(_ logVersion: CommitVersion, behind version: CommitVersion) {
        versions.withValue { $0.note(logVersion, of: version + 1) }
    }

    /// Installs a state, repeating this if another gate has installed one in the meantime.
    private func install(resuming isLive: Bool, at logVersion: CommitVersion, _ state: () -> State)
    {
        var isInstalled = false
        while !isInstalled {
            let version = store.version
            note(logVersion, behind: version)
            let result = controller.install(state(), replacing: version, resuming: isLive)
            if case .refused(.outdated) = result { continue }
            isInstalled = true
        }
    }
}

/// Accepts what a replica shows, and proposes anything else that is dispatched.
private final class ReplicaGate<State: Sendable>: CommitGate {
    /// The commit that is expected: the next one after a version, made by a thread.
    private struct Passage {
        let thread: UInt
        let version: CommitVersion
    }

    private struct Epoch {
        let number: UInt64
        /// What starts later belongs to this epoch.
        let start: CommitVersion
    }

    private struct Contents {
        weak var store: Store<State>?
        var passage: Passage?
        var epoch: Epoch?
    }

    private let contents = Guarded(Contents())
    private let propose: @Sendable (PendingCommit, UInt64?) -> Void

    init(_ propose: @escaping @Sendable (PendingCommit, UInt64?) -> Void) {
        self.propose = propose
    }

    func guardStore(_ store: Store<State>) { contents.withValue { $0.store = store } }

    func open(behind version: CommitVersion) {
        let thread = CurrentThread.id
        contents.withValue { $0.passage = Passage(thread: thread, version: version) }
    }

    func close() { contents.withValue { $0.passage = nil } }

    func begin(_ epoch: UInt64, after version: CommitVersion) {
        contents.withValue { $0.epoch = Epoch(number: epoch, start: version) }
    }

    /// Ends the epoch; false if there is none.
    func end() -> Bool {
        contents.withValue { contents in
            defer { contents.epoch = nil }
            return contents.epoch != nil
        }
    }

    func accepts(_ pending: PendingCommit) -> Bool {
        let thread = CurrentThread.id
        let (store, passage, epoch) = contents.withValue { ($0.store, $0.passage, $0.epoch) }
        // Subscribers may dispatch on the same thread, but the version is a different one then.
        if let passage, passage.thread == thread, store?.version == passage.version {
            return true
        }
        guard let parent = pending.parent else {
            propose(pending, nil)
            return false
        }
        // From an effect or a subscriber. If its epoch is over, what it wants has expired.
        if let epoch, parent > epoch.start { propose(pending, epoch.number) }
        return false
    }
}
