// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
public import ToDoSync
public import ToDoTasks

/// A list of tasks on a server that speaks the REST of `ToDoService`.
public struct HTTPTaskServer: TaskServer {
    /// The largest answer, in bytes.
    private static let answerLimit = 64 * 1_024 * 1_024

    private let base: ServerAddress

    /// A server at an address; nothing is asked yet.
    public init(at base: ServerAddress) { self.base = base }

    /// All tasks; throws `Problem`.
    public func tasks() async throws -> [TaskItem] {
        let json = try await ask(.GET, "/tasks")
        guard let tasks = try? JSONDecoder().decode([TaskJSON].self, from: json) else {
            throw Problem.unreadable
        }
        return tasks.map(\.task)
    }

    /// Does a change; throws `Problem`.
    public func perform(_ change: Change) async throws {
        let json = try JSONEncoder().encode(TaskJSON(task: change.task))
        switch change.kind {
        case .create: try await ask(.POST, "/task", json)
        case .update: try await ask(.PATCH, "/task", json)
        case .delete: try await ask(.DELETE, "/task/" + change.task.id.percentEncoded)
        }
    }

    /// What the server answers; throws ``Problem``.
    @discardableResult
    private func ask(_ method: HTTPMethod, _ path: String, _ json: Data? = nil) async throws -> Data
    {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(30)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let answer = await Result { () async throws in
            var request = HTTPClientRequest(url: base.description + path)
            request.method = method
            request.headers.add(name: "accept", value: "application/json")
            if let json {
                request.headers.add(name: "content-type", value: "application/json")
                request.body = .bytes(ByteBuffer(bytes: json))
            }
            let response = try await client.execute(request, timeout: .hours(1))
            let body = try await Data(
                response.body.collect(upTo: Self.answerLimit).readableBytesView)
            guard response.status.code < 400 else {
                throw Problem.refused(
                    status: Int(response.status.code), reason: ProblemJSON.reason(in: body))
            }
            return body
        }
        try? await client.shutdown()
        return try answer.mapError(Problem.init(cause:)).get()
    }
}

extension Problem {
    /// What an error of the client means to a user.
    fileprivate init(cause: any Error) {
        switch cause {
        case let problem as Problem: self = problem
        case is IOError, is NIOConnectionError: self = .unreachable
        case let error as HTTPParserError where error == .invalidEOFState: self = .unreachable
        case let error as HTTPClientError
        where error == .remoteConnectionClosed || error == .connectTimeout:
            self = .unreachable
        default: self = .unreadable
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension String {
    /// The text as one segment of a path (RFC 3986 § 2.1).
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
