// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
import ToDoTasks

/// The list over HTTP: `GET /tasks`, `POST /task`, `PATCH /task`, `DELETE /task/{id}`.
///
/// `GET /openapi.json` describes it.
public struct TaskService: Sendable {
    /// The largest body, in bytes: the longest notes, each character escaped.
    static let bodyLimit = 256 * 1_024

    private let database: TaskDatabase
    private let logger: Logger

    /// A service that isn't served yet.
    public init(database: TaskDatabase, logger: Logger) {
        (self.database, self.logger) = (database, logger)
    }

    /// The service as an application that listens on loopback.
    ///
    /// - Parameters:
    ///   - port: The port; 0 takes any free one.
    ///   - onListening: Called once it answers, with its port.
    /// - Returns: The application, to run in a service group.
    public func application(
        port: Int = 0, onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: router(), configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { await onListening(port) }
            },
            logger: logger)
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: Gate(logger: logger))
        router.get("/tasks") { _, _ in
            Response(json: try await database.tasks().map(TaskAnswer.init))
        }
        router.post("/task") { request, _ in
            let task = try await Self.task(in: request)
            let isNew = try await database.create(task)
            return Response(json: TaskAnswer(task), status: isNew ? .created : .ok)
        }
        router.patch("/task") { request, _ in
            let task = try await Self.task(in: request)
            try await database.update(task)
            return Response(json: TaskAnswer(task))
        }
        router.delete("/task/:id") { _, context in
            let id = try context.parameters.require("id")
            guard TaskRules.isID(id) else { throw Refusal.unknownTask }
            try await database.delete(id)
            return Response(status: .noContent)
        }
        router.get("/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
        Self.refuseOtherMethods(
            on: router,
            than: [
                "/tasks": [.get], "/task": [.post, .patch], "/task/:id": [.delete],
                "/openapi.json": [.get],
            ])
        router.get("**") { _, _ -> Response in throw Refusal.unknownPath }
        return router
    }

    private static func refuseOtherMethods(
        on router: Router<BasicRequestContext>, than there: [String: [HTTPRequest.Method]]
    ) {
        let all: [HTTPRequest.Method] = [
            .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
            HTTPRequest.Method("QUERY") ?? .trace,
        ]
        for (path, methods) in there {
            let refusal = Refusal.wrongMethod(
                allowed: methods.map(\.rawValue).joined(separator: ", "))
            for method in Set(all).subtracting(methods) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in throw refusal }
            }
        }
    }

    /// The task that a request brings.
    private static func task(in request: Request) async throws -> TaskItem {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        guard type?.trimmingCharacters(in: .whitespaces) == "application/json" else {
            throw Refusal.notJSON
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: bodyLimit)
        } catch is NIOTooManyBytesError {
            throw Refusal.tooLarge
        }
        return try TaskBody.read(Data(body.readableBytesView))
    }
}
