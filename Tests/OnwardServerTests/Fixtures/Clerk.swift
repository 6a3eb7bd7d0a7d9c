// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardServer

/// Whoever applies what is posted to a table: the other end of a store that is hosted in a way of its own.
final class Clerk: Sendable {
    let store: Store<Table>
    private let contents = Guarded(Contents())
    /// Done before each action is decided on.
    let before: @Sendable (PostedAction<Table>) async -> Void

    private struct Contents {
        var applied: [String] = []
        var isAway = false
        var notice: String?
    }

    init(
        _ store: Store<Table> = Table.store(),
        before: @escaping @Sendable (PostedAction<Table>) async -> Void = { _ in }
    ) {
        self.store = store
        self.before = before
    }

    /// The ids of what it has applied.
    var applied: [String] { contents.withValue { $0.applied } }

    func goAway(_ isAway: Bool) {
        contents.withValue { $0.isAway = isAway }
    }

    func say(_ notice: String?) {
        contents.withValue { $0.notice = notice }
    }

    /// The table, as it is hosted.
    func hosted(log: SharedLog? = nil) -> HostedStore<Table> {
        HostedStore(store, log: log, notice: { self.contents.withValue { $0.notice } }) { posted in
            await self.apply(posted)
        }
    }

    private func apply(_ posted: PostedAction<Table>) async -> PostOutcome {
        if contents.withValue({ $0.isAway }) { return .unavailable("The clerk is away.") }
        await before(posted)
        switch posted.decide(on: store.state) {
        case .decline(let outcome): return outcome
        case .apply(let action, _):
            contents.withValue { $0.applied.append(posted.id) }
            func open(_ action: some Action) -> DispatchResult { store.dispatch(action) }
            return .dispatched(open(action))
        }
    }
}
#endif
