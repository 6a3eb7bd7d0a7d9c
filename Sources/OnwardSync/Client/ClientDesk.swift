// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// What a client's store has committed: its own actions, in order, until they are taken over.
///
/// As a gate it withholds what can't be proposed, more than may be pending, and what would have to be proposed
/// once the client has stopped. It also withholds what is dispatched while another gate shows another moment:
/// that gate would record it and have it show later by an install, which is no commit that could be proposed. As
/// the first gate of its store it is asked before.
final class ClientDesk<State: Sendable>: CommitObserver, CommitGate {
    /// What was committed since the last time.
    struct Commits: Sendable {
        /// Own actions that are to be proposed.
        var entries: Deque<LogEntry> = []
        /// The last state that a gate has installed; 0 for none.
        var installed: CommitVersion = 0
    }

    private struct Contents {
        var commits = Commits()
        /// How many are pending besides.
        var pending = 0
        var announcement = Announcement()
        /// Whether the client has stopped.
        var isClosed = false
    }

    private weak let store: Store<State>?
    private let limit: Int
    private let kinds: ActionKinds
    private let options: StoreOptions
    private let status: Store<SyncStatus>
    private let contents = Guarded(Contents())

    init(
        _ store: Store<State>, limit: Int, _ kinds: ActionKinds, _ options: StoreOptions,
        _ status: Store<SyncStatus>
    ) {
        self.store = store
        self.limit = limit
        self.kinds = kinds
        self.options = options
        self.status = status
    }

    /// Whether another gate shows another moment.
    private var isTravelling: Bool { store?.engine.whole { $0.gateState } == .travelled }

    func whenCommitted(_ announce: @escaping @Sendable () -> Void) {
        contents.withValue { $0.announcement.whenMade(announce) }
    }

    /// From now on, what would have to be proposed is withheld.
    func close() { contents.withValue { $0.isClosed = true } }

    func note(pending: Int) { contents.withValue { $0.pending = pending } }

    func accepts(_ pending: PendingCommit) -> Bool {
        switch kinds[pending.action] {
        case .local: return true
        case .proposed:
            if isTravelling { return false }
            return contents.withValue {
                !$0.isClosed && $0.pending + $0.commits.entries.count < limit
            }
        case .uncoded:
            options.report(.uncodedSyncedAction(pending.action, pending.origin))
            return false
        }
    }

    func observe(_ commit: Commit<State>) {
        let entry = commit.entry
        let isOwn = entry.kind == .action
        if isOwn {
            if case .local = kinds[entry.action] { return }
            // First, as what takes it over may find it decided at once.
            status.dispatch(SyncStatusAction.dispatched)
        }
        let announce = contents.withValue { contents -> (@Sendable () -> Void)? in
            if isOwn {
                contents.commits.entries.append(entry)
            } else {
                contents.commits.installed = entry.version
            }
            return contents.announcement.make()
        }
        announce?()
    }

    func take() -> Commits {
        contents.withValue { contents in
            defer { contents.commits = Commits() }
            contents.announcement.clear()
            contents.pending += contents.commits.entries.count
            return contents.commits
        }
    }
}
