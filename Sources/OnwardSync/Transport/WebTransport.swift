// SPDX-License-Identifier: MIT

public import Foundation
internal import Onward

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Reaches a server over HTTP: the endpoint that `Endpoint.sync` makes.
///
/// It waits for what comes with one request at a time, and sends each message with another one.
public struct WebTransport: SyncTransport {
    /// Why the server can't be reached.
    public struct Failure: Error, CustomStringConvertible {
        /// The status that it answered with; nil if there was no answer.
        public let status: Int?
        /// A sentence that describes the error.
        public let description: String
    }

    private let url: URL
    /// Clients of one program wait beside each other.
    private let session: URLSession
    private let limits: SyncLimits
    private let token: @Sendable () async -> String?

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - url: The address of the endpoint, such as `https://example.org/sync/`.
    ///   - limits: Those of the client.
    ///   - token: Says who the client is, for each connection anew.
    public init(
        to url: URL, limits: SyncLimits = SyncLimits(),
        token: @escaping @Sendable () async -> String? = { nil }
    ) {
        self.url = url.appendingPathComponent("messages")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 8
        session = URLSession(configuration: configuration)
        self.limits = limits.usable()
        self.token = token
    }

    /// Makes a connection.
    ///
    /// - Throws: ``Failure``.
    public func connect() async throws -> SyncConnection {
        let first = try await post(WebRequest(token: await token() ?? ""))
        guard let id = first.connection else {
            throw Failure(status: 200, description: "The server didn't say which connection it is.")
        }
        let (stream, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.window + 64))
        let waiting = Task {
            do {
                while !Task.isCancelled {
                    for message in try await post(WebRequest(connection: id)).messages {
                        if case .dropped = outlet.yield(message) { return outlet.finish() }
                    }
                }
                outlet.finish()
            } catch {
                outlet.finish(throwing: error)
            }
        }
        outlet.onTermination = { _ in waiting.cancel() }
        return SyncConnection(messages: stream) { message in
            _ = try await post(WebRequest(connection: id, message: message))
        } close: {
            outlet.finish()
        }
    }

    private func post(_ message: WebRequest) async throws -> WebAnswer {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 60
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(WebMessage.bytes(of: message))
        let (status, bytes) = try await answer(to: request)
        guard status == 200 else {
            throw Failure(status: status, description: "The server answered with \(status).")
        }
        let limit = WebMessage.length(of: limits.stateBytes)
        return try WebMessage.read(WebAnswer.self, bytes, limit: limit)
    }

    /// Sends a request; a task that is cancelled doesn't wait for the answer.
    ///
    /// The request goes on to its end, at most as long as a server lets clients wait: where Foundation is
    /// that of Linux, a request that is cancelled while its answer comes stops the program.
    private func answer(to request: URLRequest) async throws -> (Int, [UInt8]) {
        let waiting = Guarded(Waiting())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isCancelled = waiting.withValue { waiting in
                    if !waiting.isCancelled { waiting.waiter = waiter }
                    return waiting.isCancelled
                }
                if isCancelled { return waiter.resume(throwing: CancellationError()) }
                let task = session.dataTask(with: request) { data, response, error in
                    let waiter = waiting.withValue { $0.waiter.take() }
                    if let response = response as? HTTPURLResponse {
                        waiter?.resume(returning: (response.statusCode, Array(data ?? Data())))
                    } else {
                        let text = "The server can't be reached: \(error.map { "\($0)" } ?? "")"
                        waiter?.resume(throwing: Failure(status: nil, description: text))
                    }
                }
                task.resume()
            }
        } onCancel: {
            let waiter = waiting.withValue { waiting in
                waiting.isCancelled = true
                return waiting.waiter.take()
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Who waits for an answer, until it comes or the task is cancelled.
    private struct Waiting {
        var waiter: CheckedContinuation<(Int, [UInt8]), any Error>?
        var isCancelled = false
    }
}
