// SPDX-License-Identifier: MIT

public import Foundation
internal import Onward

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Reaches a server over HTTP: the endpoint that `Endpoint.sync` makes.
///
/// Messages come as one answer that goes on for as long as the connection lasts; each message to the server
/// is a request of its own. A connection that brings nothing for a minute, not even a sign of life, ends.
public struct WebTransport: SyncTransport {
    /// Why the server can't be reached.
    public struct Failure: Error, CustomStringConvertible {
        /// The status that it answered with; nil if there was no answer.
        public let status: Int?
        /// A sentence that describes the error.
        public let description: String
    }

    private let url: URL
    /// What sends messages; each connection reads with a session of its own.
    private let session: URLSession
    private let limits: SyncLimits
    private let token: @Sendable () async -> String?
    /// How long a connection may bring nothing.
    var longestSilence: Duration = .seconds(60)

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
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 8
        session = URLSession(configuration: configuration)
        self.limits = limits.usable()
        self.token = token
    }

    /// Makes a connection.
    ///
    /// - Throws: ``SyncProblem/notAdmitted`` if the server refuses the token, ``SyncProblem/tooManySessions`` if
    ///   it has no place, otherwise ``Failure``.
    public func connect() async throws -> SyncConnection {
        let (messages, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.unread))
        let limit = limits.stateBytes + MessageCodec.sessionLength
        let stream = WebStream(outlet, limit: limit) { id in
            Task { try? await post(.end, WebRequest.body(id)) }
        }
        outlet.onTermination = { _ in stream.leave() }
        let token = Array((await token() ?? "").utf8)
        let id: ClientID
        do {
            id = try await stream.open(request(.stream, token))
        } catch let failure as Failure {
            throw failure.problem ?? failure
        }
        return SyncConnection(messages: messages) { message in
            try await post(.message, WebRequest.body(id, message))
        } close: {
            outlet.finish()
        }
    }

    private func request(_ path: WebRequest.Path, _ body: [UInt8]) -> URLRequest {
        var request = URLRequest(url: url.appendingPathComponent(path.rawValue))
        request.httpMethod = "POST"
        request.timeoutInterval = longestSilence / .seconds(1)
        request.setValue(WebRequest.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body)
        return request
    }

    private func post(_ path: WebRequest.Path, _ body: [UInt8]) async throws {
        let status = try await status(of: request(path, body))
        guard status == 200 else { throw Failure(status: status) }
    }

    /// Sends a request; a task that is cancelled doesn't wait for the answer.
    ///
    /// The request goes on to its end: where Foundation is that of Linux, a request that is cancelled while
    /// its answer comes stops the program.
    private func status(of request: URLRequest) async throws -> Int {
        let waiting = Guarded(Waiting())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isCancelled = waiting.withValue { waiting in
                    if !waiting.isCancelled { waiting.waiter = waiter }
                    return waiting.isCancelled
                }
                if isCancelled { return waiter.resume(throwing: CancellationError()) }
                let task = session.dataTask(with: request) { _, response, error in
                    let waiter = waiting.withValue { $0.waiter.take() }
                    if let response = response as? HTTPURLResponse {
                        waiter?.resume(returning: response.statusCode)
                    } else {
                        waiter?.resume(throwing: Failure(error))
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
        var waiter: CheckedContinuation<Int, any Error>?
        var isCancelled = false
    }
}

extension WebTransport.Failure {
    /// What it says of this client, if anything.
    fileprivate var problem: SyncProblem? {
        switch status {
        case 401, 403: .notAdmitted
        case 503: .tooManySessions
        default: nil
        }
    }

    init(status: Int) {
        self.init(status: status, description: "The server answered with \(status).")
    }

    init(_ error: (any Error)?) {
        let reason = error.map { "\($0)" } ?? "It ended the connection."
        self.init(status: nil, description: "The server can't be reached: \(reason)")
    }
}
