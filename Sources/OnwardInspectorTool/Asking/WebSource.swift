// SPDX-License-Identifier: MIT
#if CommandLineTool && Inspector

internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
internal import Onward
internal import OnwardJournal

/// A running inspector, asked over HTTP.
struct WebSource: InspectorSource {
    private static let patience: TimeInterval = 30

    private let address: URL
    private let token: String?

    /// An inspector; nil for what is no address of one.
    ///
    /// - Parameters:
    ///   - address: The address of its page, `http://127.0.0.1:8081`.
    ///   - token: Its access token.
    init?(_ address: String, token: String?) {
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { return nil }
        self.address = url
        self.token = token
    }

    func ask(_ question: InspectorQuestion) async throws(SourceProblem) -> DataValue {
        let root = address.absoluteString.split(separator: "?")[0]
        let base = root.hasSuffix("/") ? root.dropLast() : root
        guard let url = URL(string: base + "/api/v1" + question.location.description) else {
            throw SourceProblem(.unreachable, "\(address) can't be asked that.")
        }
        var request = URLRequest(url: url, timeoutInterval: Self.patience)
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body = question.body {
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(DataFormat.json.bytes(of: body))
        }
        let (status, bytes): (Int, [UInt8])
        do {
            (status, bytes) = try await Download.run(request, limit: InspectorAnswer.limits.bytes)
        } catch {
            throw SourceProblem(
                .unreachable, "\(address) does not answer: \(error.localizedDescription)")
        }
        return try InspectorAnswer.value(of: bytes, status: status)
    }
}

/// One request whose answer has a bound; it follows no redirection.
private final class Download: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isTooLarge = false
        var waiter: CheckedContinuation<(Int, [UInt8]), any Error>?
    }

    private let limit: Int
    private let state: Guarded<State>

    private init(_ limit: Int, _ waiter: CheckedContinuation<(Int, [UInt8]), any Error>) {
        self.limit = limit
        state = Guarded(State(waiter: waiter))
    }

    static func run(_ request: URLRequest, limit: Int) async throws -> (Int, [UInt8]) {
        try await withCheckedThrowingContinuation { waiter in
            let session = URLSession(
                configuration: .ephemeral, delegate: Download(limit, waiter), delegateQueue: nil)
            session.dataTask(with: request).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withValue { state in
            state.isTooLarge = state.bytes.count + data.count > limit
            if !state.isTooLarge { state.bytes += data }
            return state.isTooLarge
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
        let (bytes, isTooLarge, waiter) = state.withValue { state in
            defer { state.waiter = nil }
            return (state.bytes, state.isTooLarge, state.waiter)
        }
        if isTooLarge {
            waiter?.resume(throwing: TooLarge(limit: limit))
        } else if let response = task.response as? HTTPURLResponse, error == nil {
            waiter?.resume(returning: (response.statusCode, bytes))
        } else {
            waiter?.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }

    private struct TooLarge: LocalizedError {
        let limit: Int
        var errorDescription: String? { "the answer has more than \(limit) bytes" }
    }
}
#endif
