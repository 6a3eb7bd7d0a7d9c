// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes

/// A request that isn't let in: the status and the sentence that answer it.
struct Rejection: Error, Hashable {
    /// A field of a form, and the sentence to be shown beside it.
    struct Field: Hashable, Sendable {
        let name, sentence: String
    }

    let status: HTTPResponse.Status
    let sentence: String
    /// Whether the page has to be loaded again because it isn't this visitor's.
    let asksToLoad: Bool
    /// The field that it is about; nil if there is none.
    var field: Field?
    /// The text for developers, in the log; nil if it is the sentence.
    var reason: String?

    init(_ status: HTTPResponse.Status, _ sentence: String, asksToLoad: Bool = false) {
        self.status = status
        self.sentence = sentence
        self.asksToLoad = asksToLoad
    }

    /// A rejection of what a visitor entered, with a sentence to be shown beside the field.
    init(
        _ mistake: FieldMistake, saying sentence: String, reason: String,
        status: HTTPResponse.Status = .badRequest
    ) {
        self.init(status, "\(mistake.label): \(sentence)")
        self.field = Field(name: mistake.field, sentence: sentence)
        self.reason = reason
    }

    /// A rejection of what no visitor can mend, and `reason` says why to a developer.
    static func impossible(_ reason: String) -> Rejection {
        var rejection = Rejection(
            .badRequest, "This page can't do that. Please load it again, or tell whoever runs it.")
        rejection.reason = reason
        return rejection
    }

    /// Quotes a foreign name in a sentence: short, and without anything that could forge a log
    /// line.
    static func quote(_ name: String) -> String {
        let visible = name.unicodeScalars.prefix(64).filter { scalar in
            scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format
        }
        return "\"\(String(String.UnicodeScalarView(visible)))\""
    }

    static func badID(_ name: String) -> Rejection {
        Rejection(
            .badRequest, "The field \"\(name)\" has to be 8 to 64 letters, digits or hyphens.")
    }

    static let badEncoding = Rejection(.badRequest, "The body isn't UTF-8.")
    static let brokenBody = Rejection(.badRequest, "The body didn't arrive as it was announced.")
    static let notOneHost = Rejection(.badRequest, "A request names exactly one host.")
    static let badHost = Rejection(
        .misdirectedRequest, "This page isn't served under that host name.")
    static let foreignOrigin = Rejection(
        .forbidden, "Actions are accepted from this page only, not from another site.")
    static let badContentType = Rejection(
        .unsupportedMediaType,
        "Actions are sent as application/json or application/x-www-form-urlencoded, uncompressed.")
    static let takesNoFiles = Rejection(.unsupportedMediaType, "This page takes no files.")
    static let filesUnusable = Rejection(
        .internalServerError, "Files can't be accepted at the moment. Please try again later.")
    static func tooLarge(_ limit: Int) -> Rejection {
        Rejection(.contentTooLarge, "The body is larger than \(limit >> 10) KiB.")
    }
    static let noToken = Rejection(
        .unauthorized, "This page needs the access token with which its server was started.")
    static let sessionEnded = Rejection(
        .conflict, "This visit has ended. Load the page again to begin anew.", asksToLoad: true)
    static let late = Rejection(
        .conflict, "This came after what was done later. Nothing was done.")
    static let otherVisit = Rejection(
        .conflict, "This page was drawn for another visit. Load it again; nothing was done.",
        asksToLoad: true)
    static let tooManyVisitors = Rejection(
        .serviceUnavailable, "There are too many visitors at the moment. Please come back later.")
    static let notNow = Rejection(
        .serviceUnavailable, "This can't be opened at the moment. Please come back later.")
    static let notKept = Rejection(
        .serviceUnavailable,
        "What was done last can't be stored at the moment. Please come back later.")
    static let tooManyStreams = Rejection(
        .serviceUnavailable, "There are too many open pages at the moment. Please come back later.")
    static let tooManyOwnStreams = Rejection(
        .tooManyRequests, "You have too many open pages. Please close some.")
    static let tooManyScreens = Rejection(
        .tooManyRequests, "That were too many pages at once. Please come back in a moment.")
    static let notFound = Rejection(.notFound, "There is nothing here.")
    static let badMethod = Rejection(.methodNotAllowed, "That can't be done here.")
    static let failed = Rejection(.internalServerError, "The page can't be shown at the moment.")
}
#endif
