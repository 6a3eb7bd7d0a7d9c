// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Signals that a store has committed, and nothing more: the renderer reads what was committed
/// later, so a dispatch never waits for a page.
struct CommitSignal<State: Sendable>: CommitObserver {
    let signal: AsyncStream<Void>.Continuation

    var needs: ObserverNeeds { [] }

    func observe(_ commit: Commit<State>) { signal.yield() }
}
#endif
