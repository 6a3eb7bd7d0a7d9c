// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import Metrics
import OnwardJournal

extension PageHost {
    /// Accepts an action: `POST /`, or at the path of a screen.
    ///
    /// The script sends JSON and is answered with JSON: a post, or a list of posts that is answered
    /// with a list. A form is answered with 303 to the page, or with the current page, the reason
    /// in its status line, and the status of the reason. If the store is kept in a journal, the
    /// answer waits until what was dispatched is stored.
    func takeAction(_ request: Request, _ context: PageContext) async throws -> Response {
        try checks.checkOrigin(request)
        if let boundary = try checks.multipartBoundary(of: request) {
            return try await takeFiles(request, boundary, context)
        }
        let body = try await checks.readBody(request)
        let caller = caller(of: request, tag: request.headers[.onwardVisit], context)
        let visit = try await visitors.takePost(of: caller)
        if case .list(let posts) = body {
            let answers = try await takeAll(posts, request, visit)
            try await visit.session.reachLevel()
            return .json(answers, status: .ok)
        }
        do {
            let (post, outcome, _) = try await handle(
                body, number: try request.postNumber(), from: request, visit)
            let response = try await respond(outcome, post, to: request, visit)
            try await visit.session.reachLevel()
            return response
        } catch let rejection as Rejection {
            return try await explain(rejection, to: request, caller, visit, context)
        }
    }

    /// Handles posts that a page sent together, in order, each with its own answer.
    private func takeAll(
        _ posts: [DataValue], _ request: Request, _ visit: Visit<State>
    ) async throws -> String {
        guard (1...64).contains(posts.count) else {
            throw Rejection(.badRequest, "A request has 1 to 64 posts.")
        }
        let first = try request.postNumber()
        var answers: [String] = []
        for (index, body) in posts.enumerated() {
            do {
                let (post, outcome, _) = try await handle(
                    body, number: first?.advanced(by: index), from: request, visit)
                if let rejection = outcome.rejection { throw rejection }
                answers.append(json(outcome, post, visit))
            } catch let rejection as Rejection where rejection.status != .serviceUnavailable {
                log.note(rejection, request)
                answers.append(rejection.json())
            }
        }
        return "[\(answers.joined(separator: ","))]"
    }

    /// Handles a post; `files` are those that came with it.
    func handle(
        _ body: DataValue, files: ReceivedFiles? = nil, number: PostNumber?,
        from request: Request, _ visit: Visit<State>
    ) async throws -> (post: Post, outcome: PostOutcome, isNew: Bool) {
        let post = try Post(
            body, hasRoutes: documents.page.routes != nil,
            files: files ?? ReceivedFiles([], limits: options.limits.uploads))
        let (outcome, isNew) = try await visit.session.postHandler.handle(
            post, from: request.url, number: number, by: visit.poster)
        if isNew { count(outcome) }
        if isNew, visit.session.own != nil { visit.session.ownStateChanged() }
        return (post, outcome, isNew)
    }

    func respond(
        _ outcome: PostOutcome, _ post: Post, to request: Request, _ visit: Visit<State>
    ) async throws -> Response {
        if let rejection = outcome.rejection { throw rejection }
        guard request.asksForJSON else {
            let destination = visit.session.postHandler.destination(of: post, from: request.url)
            return Response(status: .seeOther, headers: [.location: destination])
        }
        return .json(json(outcome, post, visit), status: outcome == .withheld ? .accepted : .ok)
    }

    /// What became of a post that wasn't refused.
    private func json(_ outcome: PostOutcome, _ post: Post, _ visit: Visit<State>) -> String {
        let tab = visit.session.tabLocation(of: post.tab).map { ",\"tab\":\($0)" } ?? ""
        return "{\"result\":\"\(outcome.word.rawValue)\"\(tab)}"
    }

    /// The sentence with the current page, if its sender may have that drawn.
    func explain(
        _ rejection: Rejection, to request: Request, _ caller: Caller, _ visit: Visit<State>,
        _ context: PageContext
    ) async throws -> Response {
        log.note(rejection, request)
        // The script retries by itself.
        if rejection.status == .serviceUnavailable, request.asksForJSON {
            return rejection.response(to: request)
        }
        await turns.begin(of: caller.address)
        defer { turns.end(of: caller.address) }
        guard !context.isGone else { return rejection.response(to: request) }
        let location = documents.page.location(at: request.url, for: visit.session.own?.value)
        let page: RenderedPage
        do {
            page = try await visit.session.feed.current(at: location, for: visit.asker(caller))
        } catch is Rejection {
            return rejection.response(to: request)
        }
        let isJSON = request.asksForJSON
        let document =
            isJSON
            ? Document(ByteBuffer(string: rejection.json(page: page)))
            : documents.render(
                page, at: location.tabLocation, visit: visit.visitor?.tag,
                notice: rejection.sentence)
        return respond(with: document, status: rejection.status, isJSON: isJSON, context)
    }

    private func count(_ outcome: PostOutcome) {
        Counter(
            label: "onward_server_dispatches", dimensions: [("result", outcome.word.rawValue)],
            factory: options.metrics
        ).increment()
    }
}

extension Request {
    /// The place of its post, or of its first one, among those of its page.
    func postNumber() throws(Rejection) -> PostNumber? {
        guard let text = headers[.onwardOrder] else { return nil }
        return try PostNumber(text)
    }
}
#endif
