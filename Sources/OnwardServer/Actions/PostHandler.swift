// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Onward
import OnwardJournal

/// Handles the posts for one store.
///
/// If the store accepts dispatches, looking up the request id, comparing the token and dispatching
/// happen without a suspension in between, so the actor is the serial section: of two simultaneous
/// equal posts, the second gets the answer of the first, and of two that expect the same token, the
/// second finds the token changed.
///
/// If someone else applies posts, many of them are in progress at once. Equal ones wait for the
/// first, and whoever applies the action compares the token with the state it is applied to.
actor PostHandler<State: Sendable> {
    private let hosted: HostedStore<State>
    private let page: Page<State>
    /// What the app remembers of the answered requests, if anything.
    private let requests: ProcessedRequests?
    /// What the store's journal remembers of them, until that has been read.
    private var keeping: HostedStore<State>.Keeping?
    /// The task that reads it, for all posts that arrive meanwhile.
    private var restoring: Task<Void, Never>?
    private var ledger: RequestLedger
    private var order: PostOrder
    /// The requests that are being applied, and the equal ones that wait for each.
    private var underWay: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// Requests that were let in but that nobody could take: they will come again.
    private var postponed: Set<String> = []

    private var store: Store<State> { hosted.store }

    init(
        _ hosted: HostedStore<State>, page: Page<State>, memory: PostMemory,
        requests: ProcessedRequests? = nil
    ) {
        self.hosted = hosted
        keeping = hosted.keeping
        self.page = page
        self.requests = requests
        self.ledger = RequestLedger(limit: memory.answers, byteLimit: memory.bytes)
        self.order = PostOrder(limit: memory.pages)
        for request in requests?.ids ?? [] { ledger.restore(request) }
    }

    /// Applies the post's action, and moves the sender's tab to where it wants to go, unless the
    /// post has already been answered or is stale.
    ///
    /// - Parameters:
    ///   - post: What was sent.
    ///   - url: The screen from which it was sent.
    ///   - number: Its place among its page's posts; nil for a browser without script.
    ///   - poster: Who sent it.
    /// - Returns: What became of it, and whether that was now (rather than when it came before).
    /// - Throws: ``Rejection`` if the post isn't let in, or can't be handled now.
    func handle(
        _ post: Post, from url: String = "/", number: PostNumber? = nil,
        by poster: ActionSender = ActionSender()
    ) async throws(Rejection) -> (outcome: PostOutcome, isNew: Bool) {
        try await restoreRequests()
        while underWay[post.request] != nil {
            await withCheckedContinuation { underWay[post.request]?.append($0) }
        }
        if let outcome = ledger.outcome(of: post) { return (outcome, false) }
        let isPostponed = postponed.remove(post.request) != nil
        if let number, !order.admit(number), !isPostponed { throw .late }
        underWay[post.request] = []
        defer { for next in underWay.removeValue(forKey: post.request) ?? [] { next.resume() } }
        // Before the action, so that saving the state after it saves the id as well.
        requests?.add(post.request)
        var outcome = PostOutcome.redirected
        defer { if outcome != .dispatched { requests?.remove(post.request) } }
        do throws(Rejection) {
            if post.typeName != nil { outcome = try await take(post, from: url, poster) }
            if outcome == .dispatched || outcome == .redirected {
                let moved = try await move(post, from: url)
                // Where a move has nothing left to do, what became of the action counts.
                if moved != .redirected { outcome = moved }
            }
        } catch {
            if error.status == .serviceUnavailable { postpone(post) }
            throw error
        }
        ledger.record(outcome, of: post)
        return (outcome, true)
    }

    /// Looks at a post's place before its body is read, which may take long.
    ///
    /// - Throws: ``Rejection`` if it comes after what was done later.
    func checkOrder(of number: PostNumber) throws(Rejection) {
        if order.isLate(number) { throw .late }
    }

    private func postpone(_ post: Post) {
        // If there are too many, those that come again count as late ones.
        if postponed.count >= 4_096 { postponed = [] }
        postponed.insert(post.request)
    }

    /// Returns once it is known which requests an earlier run of the program answered.
    private func restoreRequests() async throws(Rejection) {
        guard let keeping else { return }
        let task = restoring ?? Task { await restoreRequests(from: keeping) }
        restoring = task
        await task.value
        if self.keeping != nil { throw .notNow }
    }

    /// Reads them once; if that fails, the next post tries again.
    private func restoreRequests(from keeping: HostedStore<State>.Keeping) async {
        if let requests = try? await keeping.requests() {
            for request in requests { ledger.restore(request) }
            self.keeping = nil
        }
        restoring = nil
    }

    /// Does what a post's action requests.
    private func take(
        _ post: Post, from url: String, _ poster: ActionSender
    ) async throws(Rejection) -> PostOutcome {
        let action = try post.action(accepted: page.accepted, word: page.wording)
        if let own = poster.box, let visitors = page.visitors, visitors.action == type(of: action) {
            return change(own, by: action, visitors, post, poster)
        }
        let isForTab = page.routes?.isForTab(action) ?? false
        let address = isForTab ? .root : post.address ?? .root
        guard let name = post.typeName, store.log.actions.type(named: name) != nil,
            store.handles(type(of: action), at: address),
            page.routes?.isReserved(type(of: action)) != true
        else { return .unhandled }
        guard isForTab else {
            return try await apply(
                post, from: url, by: poster,
                isConditional: post.hasDemands || page.admits(type(of: action))
            ) { [page] in Self.decide(about: action, post, poster, page, on: $0) }
        }
        return try await move(action, post, from: url, poster)
    }

    /// Does what an action that moves the sender's tab requests.
    private func move(
        _ action: any Action, _ post: Post, from url: String, _ poster: ActionSender
    ) async throws(Rejection) -> PostOutcome {
        let admitted: any Action
        switch Self.decide(about: action, post, poster, page, on: store.state) {
        case .apply(let action, _): admitted = action
        case .decline(let outcome): return outcome
        }
        // Without a tab it would move all of them.
        guard let routes = page.routes, let tab = post.tab else { return .redirected }
        try await open(tab, at: url, post, routes)
        guard let step = routes.step(admitted, to: tab) else {
            return .unhandled
        }
        return try await apply(post, from: url, by: poster) { _ in
            .apply(step.action, to: step.address)
        }
    }

    /// Changes the state that a visitor has beside the store.
    private func change(
        _ own: OwnStateBox, by action: any Action, _ visitors: PageVisitors, _ post: Post,
        _ poster: ActionSender
    ) -> PostOutcome {
        switch Self.decide(about: action, post, poster, page, on: store.state) {
        case .apply(let action, _):
            own.change { visitors.reduce($0, action) }
            return .dispatched
        case .decline(let outcome): return outcome
        }
    }

    /// Whether an action's demands hold and the page lets it in.
    private static func decide(
        about action: any Action, _ post: Post, _ poster: ActionSender, _ page: Page<State>,
        on state: State
    ) -> PostedAction<State>.Decision {
        guard page.tokens.hold(in: state, for: post) else { return .decline(.stale) }
        return switch page.admit(action, from: poster, at: post.address, in: state) {
        case .success(let action): .apply(action, to: post.address)
        case .failure(let rejection): .decline(.refused(rejection))
        }
    }

    /// Where a browser without script goes after a post.
    nonisolated func destination(of post: Post, from url: String) -> String {
        guard let routes = page.routes else { return "/" }
        if let move = post.move { return routes.location(at: move.url).url }
        return routes.location(behind: try? post.action(accepted: page.accepted), from: url).url
    }

    /// Moves the sender's tab to where it wants to go, as far as that requires an action.
    private func move(_ post: Post, from url: String) async throws(Rejection) -> PostOutcome {
        guard let routes = page.routes, let tab = post.tab, let move = post.move else {
            return .redirected
        }
        try await open(tab, at: move.kind == .open ? move.url : url, post, routes)
        return try await apply(post, from: url, part: "move") { state in
            routes.step(tab, move, in: state).map { .apply($0.action, to: $0.address) }
                ?? .decline(.redirected)
        }
    }

    private func open(
        _ tab: String, at url: String, _ post: Post, _ routes: any PageRoutes<State>
    ) async throws(Rejection) {
        _ = try await apply(post, from: url, part: "open") { state in
            routes.opening(tab, at: url, in: state).map { .apply($0.action, to: $0.address) }
                ?? .decline(.redirected)
        }
    }

    /// Applies a part of a post.
    ///
    /// - Throws: ``Rejection`` if nobody can take it now.
    private func apply(
        _ post: Post, from url: String, by poster: ActionSender = ActionSender(),
        part: String? = nil,
        isConditional: Bool = false,
        decide: @escaping @Sendable (State) -> PostedAction<State>.Decision
    ) async throws(Rejection) -> PostOutcome {
        let posted = PostedAction<State>(
            id: part.map { "\(post.request) \($0)" } ?? post.request, since: post.since,
            isConditional: isConditional,
            file: part == "open" ? #fileID : ActionOrigin.file(ofRequest: post.request, from: url),
            decide: decide)
        let author = poster.visitor?.fileName ?? ActionAuthor.current
        let outcome = await ActionAuthor.$current.withValue(author) { await hosted.apply(posted) }
        if let rejection = outcome.rejection, rejection.status == .serviceUnavailable {
            throw rejection
        }
        return outcome
    }
}
#endif
