// SPDX-License-Identifier: MIT

#if Testing
import Onward

/// Keeps the commits of a store until a test has asserted something about each.
final class CommitLog<State: Sendable>: CommitObserver {
    private struct Content {
        var pending: [Commit<State>] = []
        var last: CommitVersion = 0
    }

    private let content = Awaited(Content())

    let needs: ObserverNeeds = [.before, .after]

    func observe(_ commit: Commit<State>) {
        content.withValue { content in
            content.pending.append(commit)
            content.last = commit.entry.version
        }
    }

    /// The commits about which nothing was asserted yet.
    var pending: [Commit<State>] { content.withValue { $0.pending } }

    /// Takes all of them.
    func takeAll() -> [Commit<State>] {
        content.withValue { content in
            defer { content.pending = [] }
            return content.pending
        }
    }

    /// Takes the oldest.
    func takeFirst() -> Commit<State>? {
        content.withValue { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
    }

    /// Takes the commit with a number; nil when it does not come in time.
    func take(_ version: CommitVersion, within limit: Duration) async -> Commit<State>? {
        await catchUp(with: version, within: limit)
        return content.withValue { content in
            let index = content.pending.firstIndex { $0.entry.version == version }
            return index.map { content.pending.remove(at: $0) }
        }
    }

    /// Waits until a commit was observed.
    func catchUp(with version: CommitVersion, within limit: Duration) async {
        _ = await content.wait(atMost: limit) { $0.last >= version }
    }

    /// Waits until there is a commit about which nothing was asserted yet.
    func news(within limit: Duration) async {
        _ = await content.wait(atMost: limit) { !$0.pending.isEmpty }
    }
}
#endif
