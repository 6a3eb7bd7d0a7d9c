// SPDX-License-Identifier: MIT

internal import Onward

#if canImport(FoundationNetworking)
internal import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// Requests with bounded answers and no redirections; cancelling a task cancels its request.
package final class WebClient: Sendable {
    private let session: URLSession
    private let answers = Answers()

    package init() {
        session = URLSession(configuration: .ephemeral, delegate: answers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The maximum number of bytes in the answer.
    /// - Returns: The status and the answer.
    /// - Throws: The system's error, or that the answer is too large.
    package func run(_ request: URLRequest, limit: Int) async throws -> (Int, [UInt8]) {
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                answers.expect(task, limit, waiter)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// The answers in progress, by the number of their task.
private final class Answers: NSObject, URLSessionDataDelegate, Sendable {
    struct Answer {
        let limit: Int
        let waiter: CheckedContinuation<(Int, [UInt8]), any Error>
        var bytes: [UInt8] = []
        var isTooLarge = false
    }

    private let table = Guarded<[Int: Answer]>([:])

    func expect(
        _ task: URLSessionTask, _ limit: Int,
        _ waiter: CheckedContinuation<(Int, [UInt8]), any Error>
    ) {
        table.withValue { $0[task.taskIdentifier] = Answer(limit: limit, waiter: waiter) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = table.withValue { table in
            guard var answer = table.removeValue(forKey: dataTask.taskIdentifier) else {
                return true
            }
            answer.isTooLarge = answer.bytes.count + data.count > answer.limit
            if !answer.isTooLarge { answer.bytes += data }
            table[dataTask.taskIdentifier] = answer
            return answer.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let answer = table.withValue({ $0.removeValue(forKey: task.taskIdentifier) }) else {
            return
        }
        if answer.isTooLarge {
            answer.waiter.resume(throwing: TooLarge(limit: answer.limit))
        } else if let response = task.response as? HTTPURLResponse, error == nil {
            answer.waiter.resume(returning: (response.statusCode, answer.bytes))
        } else {
            answer.waiter.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }

    private struct TooLarge: LocalizedError {
        let limit: Int
        var errorDescription: String? { "the answer has more than \(limit) bytes" }
    }
}
