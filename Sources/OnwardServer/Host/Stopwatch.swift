// SPDX-License-Identifier: MIT
#if Server

/// The time since it was made, on any clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// The elapsed time.
    var elapsed: Duration { read() }

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        self.read = { start.duration(to: clock.now) }
    }
}
#endif
