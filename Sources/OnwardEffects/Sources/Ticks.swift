// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A number at each interval of a clock, as `clock.ticks(every:)` promises it.
struct Ticks: AsyncSequence, Sendable {
    /// Waits for one tick after another.
    struct AsyncIterator: AsyncIteratorProtocol {
        private let wait: @Sendable (_ last: Int) async -> Int?
        private var last = 0

        fileprivate init(_ wait: @escaping @Sendable (Int) async -> Int?) {
            self.wait = wait
        }

        /// The number of the next tick; nil when the task was cancelled.
        mutating func next() async -> Int? {
            guard let tick = await wait(last) else { return nil }
            last = tick
            return tick
        }
    }

    private let start: @Sendable () -> @Sendable (Int) async -> Int?

    fileprivate init<C: Clock<Duration>>(_ clock: C, every interval: Duration) {
        precondition(interval > .zero, "Ticks need an interval above zero, not \(interval).")
        start = {
            let start = clock.now
            return { last in
                // The first tick that is not over yet; more than can be counted are no longer
                // distinguished.
                let now = clock.now
                let passed = start.duration(to: now) / interval
                let isCountable = passed < 0x1p62
                let tick = Swift.max(last, isCountable ? Int(passed) : 1 << 62) + 1
                let deadline =
                    isCountable
                    ? start.advanced(by: (interval * tick).withinTimers)
                    : now.advanced(by: interval)
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else {
                    return nil
                }
                return tick
            }
        }
    }

    /// Begins to count.
    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(start())
    }
}

extension Clock where Duration == Swift.Duration {
    /// A sequence with a number at each interval, from the beginning of the iteration.
    ///
    /// The numbers count the intervals: 1, 2, 3 … A slow reader misses some, which shows in the
    /// numbers; ticks never pile up. The sequence ends when the task is cancelled.
    ///
    /// - Precondition: The interval is above zero.
    public func ticks(every interval: Swift.Duration) -> some AsyncSequence<Int, Never> & Sendable {
        Ticks(self, every: interval)
    }
}
