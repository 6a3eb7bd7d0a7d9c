// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Why a request isn't answered with what it asks for (RFC 9457).
struct Refusal: Error {
    let status: HTTPResponse.Status
    let detail: String
    var flaws: [Flaw] = []
    var headers: HTTPFields = [:]

    static let malformed = Refusal(status: .badRequest, detail: "The body isn't JSON.")
    static let unknownTask = Refusal(status: .notFound, detail: "There is no such task.")
    static let unknownPath = Refusal(status: .notFound, detail: "There is nothing here.")
    static let idInUse = Refusal(
        status: .conflict, detail: "There is another task with this id.")
    static let tooLarge = Refusal(
        status: .contentTooLarge, detail: "The body has more than \(TaskService.bodyLimit) bytes.")
    static let notJSON = Refusal(
        status: .unsupportedMediaType, detail: "The body has to be application/json.")
    static let foreignHost = Refusal(
        status: .misdirectedRequest, detail: "The service isn't reached by this host name.")
    static let full = Refusal(
        status: .init(code: 507, reasonPhrase: "Insufficient Storage"),
        detail: "The list has no room for another task.")
    static let failure = Refusal(
        status: .internalServerError, detail: "The service couldn't do it.")

    static func invalid(_ flaws: [Flaw]) -> Refusal {
        Refusal(status: .unprocessableContent, detail: "This is no task.", flaws: flaws)
    }

    static func wrongMethod(allowed: String) -> Refusal {
        Refusal(
            status: .methodNotAllowed, detail: "This method isn't there. There are: \(allowed).",
            headers: [.allow: allowed])
    }

    /// The answer.
    var response: Response {
        struct Problem: Encodable {
            let title: String
            let status: Int
            let detail: String
            let errors: [Flaw]?
        }
        let problem = Problem(
            title: status.reasonPhrase, status: status.code, detail: detail,
            errors: flaws.isEmpty ? nil : flaws)
        return Response(json: problem, status: status, type: "application/problem+json", headers)
    }
}

extension Response {
    /// An answer in JSON.
    init(
        json value: some Encodable, status: HTTPResponse.Status = .ok,
        type: String = "application/json", _ headers: HTTPFields = [:]
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = headers
        headers[.contentType] = type
        // Texts and numbers: there is nothing that JSON couldn't say.
        let json = (try? encoder.encode(value)) ?? Data()
        self.init(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
