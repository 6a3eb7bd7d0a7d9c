// SPDX-License-Identifier: MIT

package import OnwardJournal

// An app and an inspector speak JSON over HTTP, below `/apps/v1/`. The app asks what it is asked, and posts its answers with
// the next question: so it needs no server, and passes whatever lets it out.

/// What bounds the messages between an app and an inspector, on both sides.
package enum ConnectionLimits {
    /// The number in the path; a message that changes its form gets another one.
    package static let version = 1
    /// The most bytes of a message.
    package static let message = DataLimits(bytes: 16 << 20, depth: 16, elements: 10_000)
    /// The most bytes of one answer of an app: a page of a log and a part of a state have far fewer.
    package static let answerBytes = 4 << 20
    /// The most requests in one message.
    package static let requests = 16
    /// The most stores of an app.
    package static let stores = 64
    /// How long an inspector holds an app's question while nobody watches, and while somebody does.
    package static let (rest, watch) = (Duration.seconds(10), Duration.milliseconds(100))
    /// How long an app waits for an inspector.
    package static let patience = Duration.seconds(30)
}

/// `POST connect`: an app comes, or comes back.
package struct Greeting: Sendable, Hashable, Codable {
    /// The name of the app, for people.
    package var app: String
    /// The number of the process: the same one comes back as the same app.
    package var process: Int

    package init(app: String, process: Int) {
        (self.app, self.process) = (app, process)
    }
}

/// What a greeting is answered with.
package struct Welcome: Sendable, Hashable, Codable {
    /// The last part of the path of what follows: random, and known to this app alone.
    package var key: String

    package init(key: String) { self.key = key }
}

/// `POST exchange/KEY`: what is new in an app, and its answers to what it was asked last.
package struct News: Sendable, Hashable, Codable {
    /// A store as it is now.
    package struct Store: Sendable, Hashable, Codable {
        package var name: String
        package var log: LogSummary
        package var isEnded: Bool

        package init(name: String, log: LogSummary, isEnded: Bool) {
            (self.name, self.log, self.isEnded) = (name, log, isEnded)
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

    package init(stores: [Store] = [], answers: [Answer] = []) {
        (self.stores, self.answers) = (stores, answers)
    }
}

/// What the news of an app are answered with: what it is asked.
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

    package init(requests: [Request] = []) { self.requests = requests }
}
