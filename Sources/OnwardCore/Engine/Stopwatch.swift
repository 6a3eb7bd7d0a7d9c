// SPDX-License-Identifier: MIT

/// Measures on a clock whose type of instants is not known.
package struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    package init(_ clock: any Clock<Duration>) {
        func open<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        read = open(clock)
    }

    /// Measures real time.
    ///
    /// Not inlined: a function that names this clock asks for its layout whenever it is called.
    @inline(never)
    static func ofRealTime() -> Stopwatch { Stopwatch(ContinuousClock()) }

    /// The time since the stopwatch was made.
    package func elapsed() -> Duration { read() }
}
