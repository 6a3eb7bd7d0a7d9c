// SPDX-License-Identifier: MIT

internal import Onward

/// Runs middlewares on a state that isn't acknowledged yet, in a store that holds it meanwhile.
///
/// What leaves them is noted. No effect starts, and nobody sees the store.
final class DecidingStore<State: Sendable>: Sendable {
    let store: Store<State>
    private let desk: Desk<State>
    private let controller: CommitGateController<State>
    private let token: Subscription

    /// Creates a store that calls `late` with what a middleware passes on after it has returned.
    init(
        _ state: State, _ options: StoreOptions,
        @FeatureBuilder<State> _ features: () -> [any Part<State>],
        late: @escaping @Sendable (PendingCommit) -> Void
    ) {
        desk = Desk(late)
        store = Store(replaying: state, options: options, features)
        controller = store.log.attach(gate: desk)
        token = store.log.attach(desk)
    }

    /// What leaves the middlewares when actions are dispatched on a state; one thread at a time.
    ///
    /// - Returns: What was committed, and why a check refused one of the actions.
    func decide(
        _ wanted: [LogEntry], on state: State
    ) -> (entries: [LogEntry], failure: CheckFailure?) {
        var failure: CheckFailure?
        desk.begin()
        defer { desk.end() }
        // Nobody else commits anything.
        controller.install(state, replacing: store.version)
        for entry in wanted {
            func open(_ action: some Action) {
                let result = store.dispatch(
                    action, to: entry.address, file: entry.origin.file, line: entry.origin.line)
                if case .refused(.failedCheck(let reason)) = result { failure = reason }
            }
            // The owner draws what its reducers are given; who asked is said by the request.
            ActionAuthor.$current.withValue(entry.stamp?.author) { open(entry.action) }
        }
        return (desk.takeEntries(), failure)
    }
}

/// Notes what is committed, and decides whether it may be.
private final class Desk<State: Sendable>: CommitGate, CommitObserver {
    private struct Contents {
        /// The thread that is deciding; nil if there is none.
        var thread: UInt?
        var entries: [LogEntry] = []
    }

    private let contents = Guarded(Contents())
    private let late: @Sendable (PendingCommit) -> Void

    init(_ late: @escaping @Sendable (PendingCommit) -> Void) {
        self.late = late
    }

    func begin() { contents.withValue { $0.thread = CurrentThread.id } }

    func end() { contents.withValue { $0.thread = nil } }

    func takeEntries() -> [LogEntry] {
        contents.withValue { contents in
            defer { contents.entries = [] }
            return contents.entries
        }
    }

    func accepts(_ pending: PendingCommit) -> Bool {
        let thread = CurrentThread.id
        if contents.withValue({ $0.thread == thread }) { return true }
        late(pending)
        return false
    }

    func observe(_ commit: Commit<State>) {
        guard commit.entry.kind == .action else { return }
        contents.withValue { $0.entries.append(commit.entry) }
    }
}
