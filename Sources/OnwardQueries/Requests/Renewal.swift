// SPDX-License-Identifier: MIT

/// Renews something that requests share, such as an access token, once for all that need it.
///
/// ```swift
/// let session = Renewal<APIError>(when: { $0 == .unauthorized }) { () async throws(APIError) in
///     try await api.refreshToken()
/// }
/// ```
///
/// Requests that fail for lack of it wait for one renewal, then are sent once more. Those that were
/// sent before a renewal that has ended since don't start another. If the renewal fails, so do they.
public actor Renewal<Failure: Error> {
    private let isNeeded: @Sendable (Failure) -> Bool
    private let renew: @Sendable () async throws(Failure) -> Void
    private var renewals = 0
    private var current: Task<Swift.Result<Void, Failure>, Never>?

    /// Creates a renewal.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether a request failed for lack of it.
    ///   - renew: Renews it. Not cancelled with a request, as others may wait for it.
    public init(
        when isNeeded: @escaping @Sendable (Failure) -> Bool,
        _ renew: @escaping @Sendable () async throws(Failure) -> Void
    ) {
        self.isNeeded = isNeeded
        self.renew = renew
    }

    /// Sends a request, and once more if a renewal may help.
    nonisolated func run<Answer: Sendable>(
        _ request: @Sendable () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let known = await renewals
        do throws(Failure) {
            return try await request()
        } catch {
            guard isNeeded(error) else { throw error }
        }
        try await renewed(after: known)
        return try await request()
    }

    private func renewed(after known: Int) async throws(Failure) {
        guard renewals == known else { return }
        let task =
            current
            ?? Task { [renew] in
                do throws(Failure) {
                    try await renew()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        current = task
        let result = await task.value
        // Only the first of those who waited for it ends it.
        if current == task {
            current = nil
            if case .success = result { renewals += 1 }
        }
        try result.get()
    }
}

/// Sends a request of an effect, with a renewal where there is one.
///
/// What a request fails with once it was cancelled says nothing of the server: the effect ends as
/// cancelled.
func ask<Answer: Sendable, Failure: Error>(
    renewing renewal: Renewal<Failure>?,
    _ request: @Sendable () async throws(Failure) -> Answer
) async throws -> Answer {
    do {
        guard let renewal else { return try await request() }
        return try await renewal.run(request)
    } catch {
        try Task.checkCancellation()
        throw error
    }
}
