// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// Handles the posts for one store, one at a time.
///
/// Looking up the request id, comparing the token and dispatching happen without a suspension in
/// between, so the actor is the serial section: of two equal posts at once the second finds the
/// answer of the first, and of two that expect the same token the second finds the token changed.
actor PostHandler<State: Sendable> {
    private let store: Store<State>
    private let page: Page<State>
    /// What the app remembers of the answered requests, if anything.
    private let requests: AnsweredRequests?
    /// What the store's journal remembers of them, until that was read.
    private var keeping: HostedStore<State>.Keeping?
    /// Reads that, for all posts that come meanwhile.
    private var restoring: Task<Void, Never>?
    private var ledger: RequestLedger
    private var order: PostOrder

    init(
        _ hosted: HostedStore<State>, page: Page<State>, memory: PostMemory,
        requests: AnsweredRequests? = nil
    ) {
        store = hosted.store
        keeping = hosted.keeping
        self.page = page
        self.requests = requests
        self.ledger = RequestLedger(limit: memory.answers, byteLimit: memory.bytes)
        self.order = PostOrder(limit: memory.pages)
        for request in requests?.ids ?? [] { ledger.restore(request) }
    }

    /// Dispatches the post's action and moves the sender's tab to where it wants to go, unless the
    /// post was answered before or is stale.
    ///
    /// - Parameters:
    ///   - post: What was sent.
    ///   - url: The screen from which it was sent.
    ///   - number: Its place among the posts of its page; nil from a browser without script.
    ///   - poster: Who sent it.
    /// - Returns: The answer, and whether it was given now (a repeated one was given before).
    /// - Throws: ``Rejection`` when the post isn't let in.
    func handle(
        _ post: Post, from url: String = "/", number: PostNumber? = nil,
        by poster: Poster = Poster()
    ) async throws(Rejection) -> (answer: Answer, isNew: Bool) {
        try await restoreRequests()
        if let answer = ledger.answer(to: post) { return (answer, false) }
        if let number, !order.admit(number) { throw .late }
        // Before the action, so that a save of the state after it saves the id as well.
        requests?.add(post.request)
        var answer = Answer.redirected
        defer { if answer != .dispatched { requests?.remove(post.request) } }
        if post.typeName != nil {
            let action = try post.action(accepted: page.accepted)
            answer =
                change(by: action, post, poster)
                ?? self.answer(to: post, action, from: url, poster)
        }
        if answer == .dispatched || answer == .redirected, let move = take(post, from: url) {
            answer = move
        }
        ledger.record(answer, to: post)
        return (answer, true)
    }

    /// Returns when it is known which requests an earlier run of the program has answered.
    private func restoreRequests() async throws(Rejection) {
        guard let keeping else { return }
        let task = restoring ?? Task { await restoreRequests(from: keeping) }
        restoring = task
        await task.value
        if self.keeping != nil { throw .notNow }
    }

    /// Reads them once; where that fails, the next post has them read again.
    private func restoreRequests(from keeping: HostedStore<State>.Keeping) async {
        if let requests = try? await keeping.requests() {
            for request in requests { ledger.restore(request) }
            self.keeping = nil
        }
        restoring = nil
    }

    /// Changes what a visitor has beside the store; nil for an action of another type.
    private func change(by action: any Action, _ post: Post, _ poster: Poster) -> Answer? {
        guard let own = poster.box, let visitors = page.visitors,
            visitors.action == type(of: action)
        else { return nil }
        return admit(action, post, poster) { action in
            own.change { visitors.reduce($0, action) }
            return .dispatched
        }
    }

    /// Does something with an action whose demands hold and which the page lets in.
    private func admit(
        _ action: any Action, _ post: Post, _ poster: Poster, do body: (any Action) -> Answer
    ) -> Answer {
        let state = store.state
        guard page.tokens.hold(in: state, for: post) else { return .stale }
        switch page.admission(of: action, from: poster, at: post.address, in: state) {
        case .dispatch(let action): return body(action)
        case .refuse(let rejection): return .refused(rejection)
        }
    }

    /// Where a browser without script goes after a post.
    nonisolated func destination(of post: Post, from url: String) -> String {
        guard let routes = page.routes else { return "/" }
        if let move = post.move { return routes.location(at: move.url).url }
        return routes.location(behind: try? post.action(accepted: page.accepted), from: url).url
    }

    private func answer(
        to post: Post, _ action: any Action, from url: String, _ poster: Poster
    ) -> Answer {
        let isForTab = page.routes?.isForTab(action) ?? false
        let address = isForTab ? .root : post.address ?? .root
        guard let name = post.typeName, store.log.actions.type(named: name) != nil,
            store.handles(type(of: action), at: address),
            page.routes?.isReserved(type(of: action)) != true
        else { return Answer(.refused(.unhandled)) }
        return admit(action, post, poster) { action in
            guard isForTab else { return Answer(dispatch(action, of: post)) }
            // Without a tab it would move all of them.
            guard let routes = page.routes, let tab = post.tab else { return .redirected }
            routes.open(tab, at: url, in: store)
            return Answer(
                routes.dispatch(action, to: tab, of: post.request, in: store)
                    ?? .refused(.unhandled))
        }
    }

    /// Moves the sender's tab to where it wants to go; nil when that takes no action.
    private func take(_ post: Post, from url: String) -> Answer? {
        guard let routes = page.routes, let tab = post.tab, let move = post.move else { return nil }
        routes.open(tab, at: move.kind == .open ? move.url : url, in: store)
        return routes.take(tab, move, of: post.request, in: store).map { Answer($0) }
    }

    private func dispatch(_ action: some Action, of post: Post) -> DispatchResult {
        let origin = Origin.file(ofRequest: post.request)
        guard let address = post.address else {
            return store.dispatch(action, file: origin, line: 0)
        }
        return store.dispatch(action, to: address, file: origin, line: 0)
    }
}
#endif
