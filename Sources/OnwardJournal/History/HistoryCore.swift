// SPDX-License-Identifier: MIT

internal import Onward

/// The shell around a ``HistoryMachine``: it observes and steers the store.
///
/// The store holds it, so it does not hold the store.
final class HistoryCore<State: Sendable>: CommitObserver, CommitGate {
    /// What ties it to a store.
    private struct StoreConnection: Sendable {
        var controller: CommitGateController<State>?
        var token: Subscription?
    }

    private weak let store: Store<State>?
    private let machine: Guarded<HistoryMachine<State>>
    private let connection = Guarded(StoreConnection())

    init(_ store: Store<State>, limit: Int, spacing: Int) {
        let log = HistoryLog(
            from: store.state, limit: limit, spacing: spacing, replay: store.log.replayer())
        machine = Guarded(HistoryMachine(log))
        self.store = store
        let token = store.log.attach(self)
        // What is committed from here on comes to the observer; what was before is in the base.
        let snapshot = store.log.snapshot
        machine.withValue { $0.begin(with: snapshot.state, at: snapshot.version) }
        let controller = store.log.attach(gate: self)
        connection.withValue { $0 = StoreConnection(controller: controller, token: token) }
    }

    func leave() {
        let last = connection.withValue { connection in
            defer { connection = StoreConnection() }
            return connection
        }
        last.controller?.leave()
        last.token?.cancel()
    }

    func read<Result>(_ read: (HistoryLog<State>) -> Result) -> Result {
        machine.withValue { read($0.log) }
    }

    func state(at index: Int) -> State {
        machine.withValue { $0.state(at: index) }
    }

    func change<Result>(
        on isolation: (any Actor)?, _ change: (inout HistoryLog<State>) -> Result
    ) -> Result {
        let (result, last) = machine.withValue { machine in
            let last = machine.log
            return (machine.change(change), last)
        }
        // What the change dropped is released here: its `deinit`s may be the app's, and use this history.
        withExtendedLifetime(last) {}
        install(on: isolation)
        return result
    }

    /// Whether the store shows what the cursor points at.
    var isAttached: Bool {
        guard store != nil, let controller = connection.withValue(\.controller) else {
            return false
        }
        return controller.isAttached
    }

    /// Shows what the cursor points at, as often as it has changed; one thread at a time.
    ///
    /// Where the store refuses, as it does at the end of a chain of subscribers that jump without end, the
    /// next action or change brings it up again.
    private func install(on isolation: (any Actor)?) {
        guard let store, let controller = connection.withValue(\.controller) else { return }
        let delivery = store.delivery
        while let next = machine.withValue({ $0.nextInstall(within: delivery) }) {
            func show() -> Version? {
                controller.install(
                    next.state, replacing: store.version, resuming: next.isLive,
                    isolation: isolation
                ).version
            }
            let version = next.cause.map { store.callOut(as: $0, show) } ?? show()
            machine.withValue { $0.finishInstall(at: version) }
            if version == nil { return }
        }
    }

    // MARK: CommitGate

    func decide(_ pending: PendingCommit) -> CommitGateDecision {
        let time = Timestamp.now()
        let ((decision, mustInstall), last) = machine.withValue { machine in
            let last = machine.log.dropsOldest ? machine.log : nil
            return (machine.decide(pending, at: time), last)
        }
        withExtendedLifetime(last) {}
        if mustInstall { install(on: nil) }
        return decision
    }

    // MARK: CommitObserver

    var needs: ObserverNeeds { .time }

    func observe(_ commit: Commit<State>) {
        guard commit.entry.kind == .action else { return }
        let time = commit.entry.time ?? Timestamp.now()
        let (mustInstall, wantsState, last) = machine.withValue { machine in
            let last = machine.log.dropsOldest ? machine.log : nil
            return (machine.record(commit.entry, at: time), machine.wantsState, last)
        }
        withExtendedLifetime(last) {}
        if mustInstall { install(on: nil) }
        // Others may commit meanwhile; then a later commit brings its state.
        if wantsState, let snapshot = store?.log.snapshot {
            machine.withValue { $0.offer(snapshot.state, at: snapshot.version) }
        }
    }
}
