// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Lets the posts for one store through, one at a time.
///
/// Looking up the request id, comparing the token and dispatching happen without a suspension in
/// between, so the actor is the serial section: of two equal posts at once the second finds the
/// answer of the first, and of two that expect the same token the second finds the token changed.
actor ActionGate<State: Sendable> {
    private let store: Store<State>
    private let page: Page<State>
    private var ledger = RequestLedger()

    init(store: Store<State>, page: Page<State>) {
        self.store = store
        self.page = page
    }

    /// Dispatches the post's action, unless it was answered before or is stale.
    ///
    /// - Returns: The answer, and whether it was given now (a repeated one was given before).
    func pass(_ post: Post) throws(Rejection) -> (answer: Answer, isNew: Bool) {
        if let answer = ledger.answer(to: post) { return (answer, false) }
        let action = try post.action(accepted: page.accepted)
        let answer = self.answer(to: post, action)
        ledger.record(answer, to: post)
        return (answer, true)
    }

    private func answer(to post: Post, _ action: any Action) -> Answer {
        guard store.actions.type(named: post.typeName) != nil,
            store.handles(type(of: action), at: post.address ?? .root)
        else { return Answer(.refused(.unhandled)) }
        if let expected = post.expects, let token = page.expects?(store.state), token != expected {
            return .stale
        }
        return Answer(dispatch(action, to: post.address))
    }

    private func dispatch(_ action: some Action, to address: Address?) -> DispatchResult {
        guard let address else { return store.dispatch(action) }
        return store.dispatch(action, to: address)
    }
}
#endif
