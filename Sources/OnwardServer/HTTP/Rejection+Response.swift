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
            : .html(ResponseBody(byteBuffer: ByteBuffer(string: document)), status: status)
        if status == .serviceUnavailable || status == .tooManyRequests {
            response.headers[.retryAfter] = "5"
        }
        return response
    }

    /// The sentence and, if available, the lines of the current page.
    func json(page: RenderedPage? = nil) -> String {
        let message =
            EventLine.encode(["message": sentence]).dropLast()
            + (asksToLoad ? ",\"load\":true" : "")
        let rest = page.map { page in
            ",\"id\":\"\(page.id)\",\"lines\":[\(page.lines.joined(separator: ","))]"
        }
        return message + (rest ?? "") + "}"
    }

    private var document: String {
        let context = ["sentence": sentence]
        let template = try? MustacheTemplate(
            string: """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><title>{{sentence}}</title></head>
                <body><main><p role="alert">{{sentence}}</p>
                <p><a href="/">Back to the page</a></p></main></body>
                </html>

                """)
        return template.map { EscapedHTML.draw($0, model: context) } ?? ""
    }
}

extension Request {
    /// Whether the sender is a script that reads JSON.
    var asksForJSON: Bool {
        headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false
            || headers[.accept]?.lowercased().hasPrefix("application/json") ?? false
    }
}

extension Response {
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
