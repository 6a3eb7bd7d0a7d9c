// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Says that a store has committed, and nothing more: what was committed is read later, by the
/// renderer, so a dispatch never waits for a page.
struct CommitSignal<State: Sendable>: CommitObserver {
    let signal: AsyncStream<Void>.Continuation

    var needs: ObserverNeeds { [] }

    func observe(_ commit: Commit<State>) { signal.yield() }
}
#endif
