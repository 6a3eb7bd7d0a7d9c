// SPDX-License-Identifier: MIT
#if All

/// When a call is tried again: at once, then after pauses that double, until its time is over.
struct Retry {
    let deadline: ContinuousClock.Instant
    private var pause = Duration.zero

    init(limit: Duration) { deadline = .now + limit }

    /// The pause before the next try; nil if there is none.
    mutating func next(at now: ContinuousClock.Instant = .now) -> Duration? {
        let pause = pause
        guard now + pause < deadline else { return nil }
        self.pause = pause == .zero ? .milliseconds(20) : min(pause * 2, .milliseconds(500))
        return pause
    }
}
#endif
