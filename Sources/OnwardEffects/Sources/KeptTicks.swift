// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The last tick of an effect that a state keeps alive, which the effect of its next value goes on
/// from.
final class TickMemory: Sendable {
    private struct Tick {
        /// How much time had passed when it was due.
        var due: Duration
        var number = 0
    }

    private let last = Guarded<Tick?>(nil)

    /// How long it is from a moment to the next tick; the first interval begins now.
    func wait(for interval: Duration, from now: Duration) -> Duration {
        last.withValue { last in
            let tick = last ?? Tick(due: now)
            last = tick
            return max(.zero, tick.due + interval - now)
        }
    }

    /// The number of the tick that is due; nil if there is none, as another iteration has had it.
    func take(every interval: Duration, at now: Duration) -> Int? {
        last.withValue { last in
            guard let tick = last, now >= tick.due + interval else { return nil }
            // Those that were missed are counted.
            let passed = max(1, Int(min(((now - tick.due) / interval).rounded(.down), 0x1p52)))
            last = Tick(due: tick.due + interval * passed, number: tick.number + passed)
            return tick.number + passed
        }
    }
}

/// A number at each interval since the last tick, as `EffectContext.ticks(every:)` promises it.
struct KeptTicks: AsyncSequence, Sendable {
    let memory: TickMemory
    let runner: EffectRunner
    let interval: Duration

    func makeAsyncIterator() -> AsyncIterator {
        _ = memory.wait(for: interval, from: runner.elapsed)
        return AsyncIterator(ticks: self)
    }

    /// Waits for one tick after another.
    struct AsyncIterator: AsyncIteratorProtocol {
        let ticks: KeptTicks

        /// The number of the next tick; nil when the task was cancelled.
        mutating func next() async -> Int? {
            let (memory, runner, interval) = (ticks.memory, ticks.runner, ticks.interval)
            while true {
                let wait = memory.wait(for: interval, from: runner.elapsed)
                guard (try? await runner.sleep(for: wait)) != nil, !Task.isCancelled else {
                    return nil
                }
                if let number = memory.take(every: interval, at: runner.elapsed) { return number }
            }
        }
    }
}

extension EffectContext {
    /// A sequence with a number at each interval, counted from the last tick, also when the effect
    /// was started anew in between.
    ///
    /// For an interval that is a part of the state:
    ///
    /// ```swift
    /// While(\.interval) { interval, context in
    ///     for await _ in context.ticks(every: interval) { … }
    /// }
    /// ```
    ///
    /// ``While`` starts anew with each value. Ticks of `context.clock` would begin with it, so an
    /// interval that changes more often than it passes would never end. These are due an interval
    /// after the last tick of the effect before, at once if that time is over; the first is due an
    /// interval after the value appeared. Where the value was absent in between, or time
    /// travel showed another moment, counting begins anew.
    ///
    /// Otherwise it is like `clock.ticks(every:)`: a slow reader misses some, which shows in the
    /// numbers, and the sequence ends when the task is cancelled.
    ///
    /// - Precondition: The interval is above zero.
    public func ticks(every interval: Duration) -> some AsyncSequence<Int, Never> & Sendable {
        precondition(interval > .zero, "Ticks need an interval above zero, not \(interval).")
        return KeptTicks(
            memory: owner.ticks, runner: owner.runner, interval: interval.withinTimers)
    }
}
