// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore

@testable import ToDoService

/// A service with a file of its own, for one test.
struct Service: Sendable {
    let client: any TestClientProtocol
    let database: TaskDatabase

    static func run<Result: Sendable>(
        limit: Int = 100, _ body: @Sendable (Service) async throws -> Result
    ) async throws -> Result {
        let folder = TemporaryFolder()
        let database = try TaskDatabase(path: folder.file("tasks.sqlite"), limit: limit)
        let application = TaskService(database: database, logger: .silent).application()
        return try await application.test(.router) { client in
            let result = try await body(Service(client: client, database: database))
            withExtendedLifetime(folder) {}
            return result
        }
    }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        type: String? = "application/json"
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if body != nil { headers[.contentType] = type }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        return Answer(
            status: response.status.code, type: response.headers[.contentType],
            allow: response.headers[.allow], body: String(buffer: response.body))
    }
}

struct Answer: Sendable {
    let status: Int
    let type: String?
    let allow: String?
    let body: String

    /// Whether it is a refusal as RFC 9457 wants it.
    var isProblem: Bool {
        struct Problem: Decodable {
            let title: String
            let status: Int
            let detail: String
        }
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(body.utf8))
        return type == "application/problem+json" && problem?.status == status
            && problem?.title.isEmpty == false && problem?.detail.isEmpty == false
    }
}

extension Logger {
    static var silent: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}

/// A folder for one test, which goes with it.
final class TemporaryFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("todo-\(UUID().uuidString)")

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}
