// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// What a client's store has committed: its own actions, in order, until they are taken over.
///
/// As a gate it withholds more than may be pending; nothing else.
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
    }

    private let limit: Int
    private let local: Set<String>
    private let contents = Guarded(Contents())

    init(limit: Int, local: Set<String>) {
        self.limit = limit
        self.local = local
    }

    func whenCommitted(_ announce: @escaping @Sendable () -> Void) {
        contents.withValue { $0.announcement.whenMade(announce) }
    }

    func note(pending: Int) { contents.withValue { $0.pending = pending } }

    func accepts(_ pending: PendingCommit) -> Bool {
        isLocal(pending.action)
            || contents.withValue { $0.pending + $0.commits.entries.count < limit }
    }

    private func isLocal(_ action: any Action) -> Bool {
        !local.isEmpty && local.contains(type(of: action).actionName)
    }

    func observe(_ commit: Commit<State>) {
        let entry = commit.entry
        let isOwn = entry.kind == .action
        if isOwn, isLocal(entry.action) { return }
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
