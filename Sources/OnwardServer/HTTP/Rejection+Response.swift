// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

extension Rejection {
    /// The sentence as an answer without a page: JSON for the script, else a small document.
    func response(to request: Request) -> Response {
        var response: Response =
            request.asksForJSON
            ? .json(json(), status: status)
            : Self.page(sentence, link: "Back to the page", to: "/", status: status)
        if status == .serviceUnavailable || status == .tooManyRequests {
            response.headers[.retryAfter] = "5"
        }
        return response
    }

    /// The sentence and, if available, the lines of the current page.
    func json(page: RenderedPage? = nil) -> String {
        let message =
            EventLine.encode(texts).dropLast() + (asksToLoad ? ",\"load\":true" : "")
        let rest = page.map { page in
            ",\"id\":\"\(page.id)\",\"lines\":[\(page.lines.joined(separator: ","))]"
        }
        return message + (rest ?? "") + "}"
    }

    /// The sentence; and for a field its name, and what is shown beside it.
    private var texts: [String: String] {
        guard let field else { return ["message": sentence] }
        return ["message": sentence, "field": field.name, "hint": field.sentence]
    }

    /// A small document: a sentence and a link.
    fileprivate static func page(
        _ sentence: String, link: String, to url: String, status: HTTPResponse.Status
    ) -> Response {
        let context = ["sentence": sentence, "link": link, "url": url]
        let template = try? MustacheTemplate(
            string: """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><title>{{sentence}}</title></head>
                <body><main><p role="alert">{{sentence}}</p>
                <p><a href="{{url}}">{{link}}</a></p></main></body>
                </html>

                """)
        let document = template.map { EscapedHTML.draw($0, model: context) } ?? ""
        return .html(ResponseBody(byteBuffer: ByteBuffer(string: document)), status: status)
    }
}

extension Request {
    /// Whether a browser was led here by a link of another site.
    var isForeignNavigation: Bool {
        method == .get && headers[.secFetchSite] != nil && headers[.secFetchMode] == "navigate"
            && headers[.secFetchDest] == "document"
    }

    /// Whether the sender is a script that reads JSON.
    var asksForJSON: Bool {
        headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false
            || headers[.accept]?.lowercased().hasPrefix("application/json") ?? false
    }
}

extension Response {
    /// Asks a person whom another site has led here whether to go on; the link is of this site.
    static func entrance(to request: Request) -> Response {
        // A path that begins with two slashes would name another host.
        let url = "/" + request.url.drop { $0 == "/" }
        return Rejection.page(
            "A link on another site led here.", link: "Go on", to: url, status: .forbidden)
    }

    static func html(_ body: ResponseBody, status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: [.contentType: "text/html; charset=utf-8"], body: body)
    }

    static func json(_ body: ResponseBody, status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: body)
    }

    static func json(_ text: String, status: HTTPResponse.Status) -> Response {
        json(ResponseBody(byteBuffer: ByteBuffer(string: text)), status: status)
    }
}
#endif
