// SPDX-License-Identifier: MIT

internal import Onward

/// The shell around a ``HistoryMachine``: it observes and steers the store.
///
/// No reducer runs under its lock: states are computed from copies of the log. The store holds it,
/// so it does not hold the store.
final class HistoryCore<State: Sendable>: CommitObserver, CommitGate {
    /// What ties it to a store.
    private struct StoreConnection: Sendable {
        var controller: CommitGateController<State>?
        var token: Subscription?
    }

    private weak let store: Store<State>?
    /// The store's clock; never called under a lock.
    private let wallClock: @Sendable () -> Timestamp
    private let machine: Guarded<HistoryMachine<State>>
    private let connection = Guarded(StoreConnection())

    init(_ store: Store<State>, limit: Int, spacing: Int, stateBytes: Int) {
        let log = HistoryLog(
            from: store.state, limit: limit, spacing: spacing, stateBytes: stateBytes,
            replay: store.log.replayer())
        machine = Guarded(HistoryMachine(log))
        self.store = store
        wallClock = store.engine.options.wallClock
        // What is committed from now on is read; everything before is in the base. Nothing is read
        // until that is known. This is the one place where a store is locked under another lock,
        // which nobody else knows yet.
        let token = machine.withValue { machine in
            let (token, snapshot) = store.log.attachWithSnapshot(self)
            machine.begin(with: snapshot.state, at: snapshot.version)
            return token
        }
        let controller = store.log.attach(gate: self)
        connection.withValue { $0 = StoreConnection(controller: controller, token: token) }
    }

    func leave() {
        catchUp()
        let last = connection.withValue { connection in
            defer { connection = StoreConnection() }
            return connection
        }
        last.controller?.detach()
        last.token?.cancel()
    }

    /// Whether the store shows what the cursor points at.
    var isAttached: Bool {
        guard store != nil, let controller = connection.withValue(\.controller) else {
            return false
        }
        return controller.isAttached
    }

    // MARK: Reading

    /// The log with everything that has been committed.
    var log: HistoryLog<State> {
        catchUp()
        return machine.withValue { $0.log }
    }

    func state(at index: Int) -> State {
        var copy = log
        let state = copy.state(at: index)
        adopt(copy)
        return state
    }

    /// Keeps the states that a copy of the log has computed.
    private func adopt(_ copy: HistoryLog<State>) {
        // What is dropped is released outside the lock: its `deinit` may use this history.
        withExtendedLifetime(machine.withValue { $0.adopt(copy) }) {}
    }

    /// Reads what is committed.
    private func catchUp() {
        if let store, let token = connection.withValue(\.token) { store.log.deliver(to: token) }
    }

    // MARK: Changing

    func change<Result>(
        on isolation: (any Actor)?, _ change: (inout HistoryLog<State>) -> Result
    ) -> Result {
        machine.withValue { $0.beginChange() }
        closeGate()
        let (result, last) = machine.withValue { machine in
            let last = machine.log
            return (machine.change(change), last)
        }
        // What the change dropped is released here.
        withExtendedLifetime(last) {}
        show(on: isolation)
        fold()
        return result
    }

    /// Makes the store accept nothing more, and reads what it has accepted.
    ///
    /// - Returns: The version that the store shows; nil if the history does not control it.
    @discardableResult
    private func closeGate() -> CommitVersion? {
        let version = connection.withValue(\.controller)?.reevaluate()
        catchUp()
        machine.withValue { $0.closed(at: version ?? 0) }
        return version
    }

    /// Shows what the cursor points at, as often as it changes; one thread at a time.
    ///
    /// If the store refuses, as it does at the end of an endless chain of subscribers that jump,
    /// the next action or change tries again.
    private func show(on isolation: (any Actor)?) {
        guard let store, let controller = connection.withValue(\.controller) else { return }
        let delivery = store.delivery
        guard machine.withValue({ $0.beginShowing(within: delivery) }) else { return }
        while true {
            machine.withValue { $0.close() }
            guard let version = closeGate() else { return }
            var (next, cause) = machine.withValue { $0.nextToShow() }
            let state = next.shownState()
            adopt(next)
            machine.withValue { $0.open(with: next, replacing: version) }
            func install() -> DispatchResult {
                controller.install(
                    state, replacing: version, showing: next.version(at: next.cursor),
                    resuming: next.isLive, isolation: isolation)
            }
            let result = cause.map { store.call(as: $0, install) } ?? install()
            if !machine.withValue({ $0.finishShowing(next, result) }) { return }
        }
    }

    /// Folds some of the entries that belong in the base into it.
    private func fold() {
        guard let fold = machine.withValue({ $0.nextFold() }) else { return }
        let state = fold.result()
        withExtendedLifetime(machine.withValue { $0.finish(fold, with: state) }) {}
    }

    // MARK: CommitGate

    func accepts(_ pending: PendingCommit) -> Bool { accepts(pending, as: nil, at: nil) }

    private func accepts(
        _ pending: PendingCommit, as entry: HistoryEntry?, at version: CommitVersion?
    ) -> Bool {
        let decision = machine.withValue { $0.decide(entry, at: version) }
        switch decision {
        case .accept: return true
        case .withhold: fold()
        case .show:
            show(on: nil)
            fold()
        case .recordAsChange:
            let entry = entry ?? self.entry(of: pending)
            change(on: nil) { _ = $0.record(entry) }
        case .needsEntry: return accepts(pending, as: self.entry(of: pending), at: version)
        case .needsVersion: return accepts(pending, as: entry, at: store?.version ?? 0)
        }
        return false
    }

    private func entry(of pending: PendingCommit) -> HistoryEntry {
        let time = wallClock()
        let asks = store?.log.actions.asksForStamp(type(of: pending.action).actionName) == true
        let stamp =
            asks
            ? EntryStamp(
                seed: .random(in: .min ... .max), time: time, author: ActionAuthor.current) : nil
        return HistoryEntry(
            id: 0, action: pending.action, address: pending.address, origin: pending.origin,
            time: time, stamp: stamp)
    }

    // MARK: CommitObserver

    var needs: ObserverNeeds { .time }

    func observe(_ commit: Commit<State>) {
        let entry = commit.entry
        guard entry.kind == .action else {
            let isArrival = entry.origin == .elsewhere
            let wantsState = machine.withValue {
                $0.noteTravel(at: entry.version, isArrival: isArrival)
            }
            if wantsState, offerState() { fold() }
            return
        }
        let recorded = HistoryEntry(
            id: 0, action: entry.action, address: entry.address, origin: entry.origin,
            time: entry.time ?? wallClock(), version: entry.version, stamp: entry.stamp)
        let (wantsState, isFoldDue) = machine.withValue { $0.record(recorded, at: entry.version) }
        let isTaken = wantsState && offerState()
        if isTaken || isFoldDue { fold() }
    }

    /// Offers the state of the store to the log; whether it was of use.
    ///
    /// Others may commit meanwhile; then a later commit brings its state, and none waits for this.
    private func offerState() -> Bool {
        guard let snapshot = store?.log.snapshot else { return false }
        let (older, limit) = machine.withValue { ($0.log.newestState, $0.log.stateBytes) }
        let state = MeasuredState(snapshot.state, since: older, limit: limit)
        let dropped = machine.withValue { $0.offer(state, at: snapshot.version) }
        return withExtendedLifetime(dropped) { dropped != nil }
    }
}
