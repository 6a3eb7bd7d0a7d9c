// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Reads the messages of one connection, as they come.
///
/// Its request is never cancelled, which on Linux may stop the program while an answer comes: whoever leaves has the
/// server end the answer. If the server isn't there any more, the request ends by its time-out.
final class WebStream: NSObject, URLSessionDataDelegate, Sendable {
    private struct Contents {
        var frames: WebFrames
        var status = 0
        /// The connection, once the server has named it.
        var id: ClientID?
        var waiter: CheckedContinuation<ClientID, any Error>?
        var hasLeft = false
        /// Whether nothing that comes can be read any more.
        var isBroken = false
        var isOver = false
    }

    private let contents: Guarded<Contents>
    private let outlet: AsyncThrowingStream<[UInt8], any Error>.Continuation
    private let end: @Sendable (ClientID) -> Void

    /// - Parameters:
    ///   - outlet: Takes the messages.
    ///   - limit: The largest message, in bytes.
    ///   - end: Asks the server to end the answer.
    init(
        _ outlet: AsyncThrowingStream<[UInt8], any Error>.Continuation, limit: Int,
        end: @escaping @Sendable (ClientID) -> Void
    ) {
        contents = Guarded(Contents(frames: WebFrames(limit: limit)))
        self.outlet = outlet
        self.end = end
    }

    /// Sends the request; returns when the server has named the connection.
    func open(_ request: URLRequest) async throws -> ClientID {
        let configuration = URLSessionConfiguration.ephemeral
        // How long the whole answer may take.
        configuration.timeoutIntervalForResource = 365 * 86_400
        let session = URLSession(
            configuration: configuration, delegate: self, delegateQueue: nil)
        // It keeps this object until then.
        defer { session.finishTasksAndInvalidate() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let hasLeft = contents.withValue { contents in
                    if !contents.hasLeft { contents.waiter = waiter }
                    return contents.hasLeft
                }
                if hasLeft { return waiter.resume(throwing: CancellationError()) }
                session.dataTask(with: request).resume()
            }
        } onCancel: {
            outlet.finish()
        }
    }

    /// Reads nothing more, and asks the server to send nothing more.
    func leave() {
        let (waiter, id) = contents.withValue { contents in
            contents.hasLeft = true
            return (contents.waiter.take(), contents.isOver ? nil : contents.id)
        }
        waiter?.resume(throwing: CancellationError())
        if let id { end(id) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        contents.withValue { $0.status = status }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let news = contents.withValue { contents in News(data, &contents) }
        news.waiter?.resume(with: news.named)
        for message in news.messages {
            // A client that reads nothing begins again when it does.
            if case .dropped = outlet.yield(message) { outlet.finish() }
        }
        if let error = news.error { outlet.finish(throwing: error) }
        // It has not heard of it.
        if let id = news.left { end(id) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let (waiter, status) = contents.withValue { contents in
            contents.isOver = true
            return (contents.waiter.take(), contents.status)
        }
        let failure =
            status == 0 || status == 200
            ? WebTransport.Failure(error) : WebTransport.Failure(status: status)
        waiter?.resume(throwing: failure)
        // The server may have ended it as it should.
        outlet.finish(throwing: status == 200 && error == nil ? nil : failure)
    }

    /// What has come.
    private struct News {
        var messages: [[UInt8]] = []
        var waiter: CheckedContinuation<ClientID, any Error>?
        var named: Result<ClientID, any Error> = .failure(CancellationError())
        var error: (any Error)?
        /// The connection if the client has left it, and the server goes on.
        var left: ClientID?

        init(_ data: Data, _ contents: inout Contents) {
            guard contents.status == 200, !contents.isBroken else { return }
            if contents.hasLeft, let id = contents.id {
                if data.count == WebFrames.signOfLife.count { left = id }
                return
            }
            do {
                messages = try contents.frames.read(data)
                if contents.id == nil, !messages.isEmpty {
                    contents.id = String(validating: messages.removeFirst(), as: UTF8.self)
                        .flatMap { ClientID($0) }
                    guard let id = contents.id else {
                        throw WebTransport.Failure(
                            status: 200, description: "The server didn't name the connection.")
                    }
                    (waiter, named) = (contents.waiter.take(), .success(id))
                }
            } catch {
                self.error = error
                contents.isBroken = true
                (waiter, named) = (contents.waiter.take(), .failure(error))
            }
            // It left before the server had named the connection.
            if contents.hasLeft { left = contents.id }
        }
    }
}
