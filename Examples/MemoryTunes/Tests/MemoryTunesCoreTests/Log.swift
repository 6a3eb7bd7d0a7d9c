// SPDX-License-Identifier: MIT

import Onward
import Synchronization

/// Keeps the entries of a store.
final class Log<State: Sendable>: CommitObserver {
    private let kept = Mutex<[Entry]>([])

    var entries: [Entry] { kept.withLock { $0 } }

    func observe(_ commit: Commit<State>) { kept.withLock { $0.append(commit.entry) } }
}
