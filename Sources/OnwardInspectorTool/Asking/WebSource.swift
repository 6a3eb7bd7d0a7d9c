// SPDX-License-Identifier: MIT
#if All

internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
internal import Onward
internal import OnwardInspection
internal import OnwardJournal

/// A running inspector, queried over HTTP.
struct WebSource: InspectorSource {
    private static let patience: TimeInterval = 30

    private let address: InspectorAddress

    /// Creates a source; nil if the address isn't one of an inspector.
    ///
    /// - Parameters:
    ///   - address: The address of its page, `http://127.0.0.1:8081`.
    ///   - token: Its access token.
    init?(_ address: String, token: String?) {
        guard let address = InspectorAddress(address, token: token) else { return nil }
        self.address = address
    }

    func ask(_ question: InspectorRequest) async throws(SourceProblem) -> DataValue {
        guard let url = URL(string: address.base + "/api/v1/" + question.path) else {
            throw SourceProblem(.unreachable, "\(address.base) can't be asked that.")
        }
        var request = URLRequest(url: url, timeoutInterval: Self.patience)
        if let token = address.token {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        if question.method == .post {
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(question.body)
        }
        let (status, bytes): (Int, [UInt8])
        do {
            (status, bytes) = try await WebClient().run(
                request, limit: InspectorAnswer.limits.bytes)
        } catch {
            throw SourceProblem(
                .unreachable, "\(address.base) does not answer: \(error.localizedDescription)")
        }
        return try InspectorAnswer.value(of: bytes, status: status)
    }
}
#endif
