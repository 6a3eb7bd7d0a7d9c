// SPDX-License-Identifier: MIT
#if Server

/// The time elapsed on a clock since this was made, whatever the clock's instants are.
struct ElapsedTime: Sendable {
    /// The time that has passed.
    let now: @Sendable () -> Duration
    /// Waits for a duration.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
#endif
