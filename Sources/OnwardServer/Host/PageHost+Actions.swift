// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import Metrics

extension PageHost {
    /// Takes an action in: `POST /`, or at the path of a screen.
    ///
    /// The script sends JSON and is answered with JSON. A form is answered with 303 to the page, or
    /// with the page as it is now, the reason in its status line, and the status of the reason.
    func takeAction(_ request: Request, _ context: PageContext) async throws -> Response {
        try checks.checkOrigin(request)
        let body = try await checks.readBody(request)
        let caller = request.caller(
            cookie: cookieName, tag: request.headers[.onwardVisit], in: context)
        let visit = try await visitors.takePost(of: caller)
        do {
            let post = try Post(body, hasRoutes: documents.page.routes != nil)
            let (answer, isNew) = try await visit.session.postHandler.handle(
                post, from: request.url)
            if isNew { count(answer) }
            return try await respond(answer, post, to: request, visit)
        } catch let rejection as Rejection {
            return try await explain(rejection, to: request, visit)
        }
    }

    private func respond(
        _ answer: Answer, _ post: Post, to request: Request, _ visit: Visit<State>
    ) async throws -> Response {
        switch answer {
        case .dispatched, .withheld, .redirected:
            guard request.asksForJSON else {
                let destination = visit.session.postHandler.destination(of: post, from: request.url)
                return Response(status: .seeOther, headers: [.location: destination])
            }
            let tab = visit.session.tabLocation(of: post.tab).map { ",\"tab\":\($0)" } ?? ""
            return .json(
                "{\"result\":\"\(answer.word)\"\(tab)}",
                status: answer == .withheld ? .accepted : .ok)
        case .stale:
            return try await explain(Answer.outdated, to: request, visit)
        case .refused(let rejection):
            return try await explain(rejection, to: request, visit)
        }
    }

    /// The sentence together with the page as it is now.
    private func explain(
        _ rejection: Rejection, to request: Request, _ visit: Visit<State>
    ) async throws -> Response {
        log.note(rejection, request)
        let location = documents.page.location(at: request.url)
        let page = try await visit.session.feed.current(at: location)
        return request.asksForJSON
            ? rejection.jsonResponse(page: page)
            : .html(
                documents.render(
                    page, at: location.tabLocation, visit: visit.visitor?.tag,
                    notice: rejection.sentence),
                status: rejection.status)
    }

    private func count(_ answer: Answer) {
        Counter(
            label: "onward_server_dispatches", dimensions: [("result", answer.word)],
            factory: options.metrics
        ).increment()
    }
}
#endif
