// SPDX-License-Identifier: MIT

package import OnwardJournal

// An app and an inspector exchange JSON over HTTP, below `/apps/v2/`. The app fetches questions,
// and posts each answer with the next request after it has been found: so it needs no server, only
// a way out.

/// The limits of messages between an app and an inspector, on both sides.
package enum ConnectionLimits {
    /// The number in the path, which changes when the form of a message does.
    package static let version = 2
    /// The maximum size of a message.
    package static let message = DataLimits(bytes: 16 << 20, depth: 16, elements: 10_000)
    /// The maximum size of an app's answer; a page of a log or a part of a state is far smaller.
    package static let answerBytes = 4 << 20
    /// The maximum number of requests in one message.
    package static let requests = 16
    /// The maximum number of stores of an app.
    package static let stores = 64
    /// How long an inspector holds an app's request while nobody watches, and while someone does.
    package static let (rest, watch) = (Duration.seconds(10), Duration.milliseconds(100))
    /// How long an app waits for quick answers before it reports which questions it is still
    /// answering.
    package static let settling = Duration.milliseconds(100)
    /// How long an app waits for an inspector.
    package static let patience = Duration.seconds(30)
}

/// `POST connect`: an app arrives, or comes back.
package struct Greeting: Sendable, Hashable, Codable {
    /// The name of the app, for people.
    package var app: String
    /// The number of the process: the same one comes back as the same app.
    package var process: Int

    package init(app: String, process: Int) {
        (self.app, self.process) = (app, process)
    }
}

/// The answer to a greeting.
package struct Welcome: Sendable, Hashable, Codable {
    /// The last path component of later requests: random, and known only to this app.
    package var key: String

    package init(key: String) { self.key = key }
}

/// `POST exchange/KEY`: what is new in an app, with its answers to earlier questions.
package struct News: Sendable, Hashable, Codable {
    /// A store as it is now.
    package struct Store: Sendable, Hashable, Codable {
        package var name: String
        package var log: LogSummary
        package var isEnded: Bool
        /// The pages that it has; nil in an earlier version.
        package var pages: [PageSummary]?

        package init(
            name: String, log: LogSummary, isEnded: Bool, pages: [PageSummary]? = nil
        ) {
            (self.name, self.log, self.isEnded, self.pages) = (name, log, isEnded, pages)
        }
    }

    /// An answer: the status and the JSON of the interface for programs.
    package struct Answer: Sendable, Hashable, Codable {
        package var id: Int
        package var status: Int
        package var json: String

        package init(id: Int, status: Int, json: String) {
            (self.id, self.status, self.json) = (id, status, json)
        }
    }

    package var stores: [Store]
    package var answers: [Answer]
    /// The ids of the questions that are still being answered.
    package var pending: [Int]

    package init(stores: [Store] = [], answers: [Answer] = [], pending: [Int] = []) {
        (self.stores, self.answers, self.pending) = (stores, answers, pending)
    }
}

/// The answer to an app's news: the questions for it.
package struct Orders: Sendable, Hashable, Codable {
    /// A request to the interface for programs.
    package struct Request: Sendable, Hashable, Codable {
        package var id: Int
        package var method: InspectorRequest.Method
        package var path: String
        /// The body of a command.
        package var json: String?

        package init(id: Int, _ request: InspectorRequest) {
            self.id = id
            method = request.method
            path = request.path
            json = request.body.isEmpty ? nil : String(decoding: request.body, as: UTF8.self)
        }

        package var request: InspectorRequest {
            InspectorRequest(method, path, body: json.map { Array($0.utf8) } ?? [])
        }
    }

    package var requests: [Request]
    /// The ids of earlier questions whose answers nobody waits for any more.
    package var cancelled: [Int]

    package init(requests: [Request] = [], cancelled: [Int] = []) {
        (self.requests, self.cancelled) = (requests, cancelled)
    }
}
