// SPDX-License-Identifier: MIT

extension Effect {
    /// Starts only when no further effect of the same id came for a duration; earlier ones that wait
    /// are dropped.
    ///
    /// What already runs goes on, unless the policy ends it. On the store's clock. Without an id, all
    /// effects that are made at this place in the source count as the same.
    public func debounce(
        for duration: Duration, file: String = #fileID, line: Int = #line
    ) -> Effect {
        paced(.debounce(duration), Origin(file: file, line: line))
    }

    /// Starts at most one effect of the same id per duration.
    ///
    /// On the store's clock. Without an id, all effects that are made at this place in the source
    /// count as the same.
    ///
    /// - Parameters:
    ///   - duration: The least time between two starts.
    ///   - edge: Which of those that come within it start.
    ///   - file: The source file, for an effect without id.
    ///   - line: The source line, for an effect without id.
    /// - Returns: The throttled effect.
    public func throttle(
        for duration: Duration, _ edge: ThrottleEdge = .leading, file: String = #fileID,
        line: Int = #line
    ) -> Effect {
        paced(.throttle(duration, edge), Origin(file: file, line: line))
    }

    /// Cancels the work when it takes longer than a duration of the store's clock, and makes it throw
    /// ``EffectError`` with the code `.timedOut`.
    ///
    /// Work that does not heed its cancellation ends when it ends; it dispatches nothing any more.
    public func timeout(after duration: Duration) -> Effect {
        wrapped { .timeout(duration, $0) }
    }

    /// Does the work again when it throws, after a pause on the store's clock.
    ///
    /// Jitter comes from the store's random source. What the last attempt throws is the error of the
    /// effect; those before are not reported. A cancelled effect is not tried again.
    ///
    /// - Parameters:
    ///   - attempts: How often to try altogether.
    ///   - backoff: How long to wait between two attempts.
    /// - Returns: The effect with its further attempts.
    public func retry(attempts: Int, _ backoff: Backoff = .exponential()) -> Effect {
        wrapped { .retry(attempts: attempts, backoff, $0) }
    }

    /// Does the work at once and then at each interval of the store's clock, until it is cancelled or
    /// throws.
    ///
    /// Work that takes longer than an interval misses some; it never overlaps with itself. An interval
    /// that is not above zero counts as a nanosecond: the work begins again when it has ended.
    public func repeated(every interval: Duration) -> Effect {
        wrapped { .repeating(every: max(interval, .nanoseconds(1)), $0) }
    }

    private func paced(_ pace: EffectPace, _ origin: Origin) -> Effect {
        if case .none = work { return self }
        var effect = self
        effect.id = id ?? EffectID("\(origin)")
        effect.pace = pace
        return effect
    }

    private func wrapped(_ wrap: (EffectWork) -> EffectWork) -> Effect {
        if case .none = work { return self }
        var effect = self
        effect.work = wrap(work)
        return effect
    }
}
