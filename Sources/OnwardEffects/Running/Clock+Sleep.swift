// SPDX-License-Identifier: MIT

extension Clock where Duration == Swift.Duration {
    /// A sleep that ends when a duration has passed since this call, no matter when it begins.
    package func sleep(fromNowFor duration: Swift.Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration.withinTimers)
        return { try await sleep(until: deadline, tolerance: nil) }
    }
}

extension Duration {
    /// No longer than a century.
    ///
    /// The runtime's timers count nanoseconds in 64 bits, and stop the program beyond.
    package var withinTimers: Duration { min(self, .seconds(3_155_760_000)) }
}
