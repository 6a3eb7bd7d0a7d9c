// SPDX-License-Identifier: MIT

internal import OnwardCore

extension Effect {
    /// Starts only when no further effect of the same id came for a duration; earlier ones that wait
    /// are dropped.
    ///
    /// An effect that already runs continues, unless the policy ends it. On the store's clock.
    /// Without an id, all effects that are made at this place in the source count as the same.
    public func debounce(
        for duration: Duration, file: String = #fileID, line: Int = #line
    ) -> Effect {
        timed(.debounce(duration), Origin(file: file, line: line))
    }

    /// Starts at most one effect of the same id per duration.
    ///
    /// On the store's clock. Without an id, all effects that are made at this place in the source
    /// count as the same.
    ///
    /// - Parameters:
    ///   - duration: The least time between two starts.
    ///   - edge: Which of the effects that come within it start.
    ///   - file: The source file, for an effect without id.
    ///   - line: The source line, for an effect without id.
    /// - Returns: The throttled effect.
    public func throttle(
        for duration: Duration, _ edge: ThrottleEdge = .leading, file: String = #fileID,
        line: Int = #line
    ) -> Effect {
        timed(.throttle(duration, edge), Origin(file: file, line: line))
    }

    /// Cancels the work when it takes longer than a duration of the store's clock, and makes it throw
    /// ``EffectError`` with the code `.timedOut`.
    ///
    /// Work that ignores its cancellation ends when it ends; it can no longer dispatch. In a `merge`,
    /// each of the effects has the whole duration.
    public func timeout(after duration: Duration) -> Effect {
        wrapped { .timeout(duration, $0) }
    }

    /// Does the work again when it throws, after a pause on the store's clock.
    ///
    /// Jitter comes from the store's random source. What the last attempt throws is the error of the
    /// effect, and goes to its handler; earlier errors are not reported, and the handler is not
    /// called for them. A cancelled effect is not tried again.
    ///
    /// In a `merge`, each of the effects is tried again by itself, so that those that succeeded are
    /// not repeated. A sequence begins again with its first step, except for a `merge` among its
    /// steps; a step that has a handler has dealt with its error, and the sequence continues.
    ///
    /// - Parameters:
    ///   - attempts: How often to try altogether.
    ///   - backoff: How long to wait between two attempts.
    /// - Returns: The effect with its further attempts.
    public func retry(attempts: Int, _ backoff: Backoff = .exponential()) -> Effect {
        wrapped { work in
            .retry(
                attempts: attempts, backoff,
                work.changingMerges { $0.retry(attempts: attempts, backoff) })
        }
    }

    /// Does the work at once and then at each interval of the store's clock, until it is cancelled or
    /// throws.
    ///
    /// Work that takes longer than an interval misses some; it never overlaps with itself. An interval
    /// that is not above zero counts as a nanosecond: the work begins again when it has ended. In a
    /// `merge`, each of the effects is repeated by itself.
    public func repeated(every interval: Duration) -> Effect {
        wrapped { .repeating(every: max(interval, .nanoseconds(1)), $0) }
    }

    private func timed(_ timing: EffectTiming, _ origin: Origin) -> Effect {
        if case .none = work { return self }
        var effect = self
        effect.terms.id = terms.id ?? EffectID("\(origin)")
        effect.terms.timing = timing
        return effect
    }

    private func wrapped(_ wrap: (EffectWork) -> EffectWork) -> Effect {
        var effect = self
        switch work {
        case .none: break
        // The effects of a merge report their errors themselves, and each is wrapped for that.
        case .merge(let effects): effect.work = .merge(effects.map { $0.wrapped(wrap) })
        default: effect.work = wrap(work)
        }
        return effect
    }
}

extension EffectWork {
    /// The same with other merges among the steps of its sequences.
    fileprivate func changingMerges(_ change: (Effect) -> Effect) -> EffectWork {
        switch self {
        case .sequence(let steps):
            .sequence(
                steps.map { step in
                    if case .merge = step.work { return change(step) }
                    var step = step
                    step.work = step.work.changingMerges(change)
                    return step
                })
        case .timeout(let duration, let work): .timeout(duration, work.changingMerges(change))
        case .repeating(let interval, let work):
            .repeating(every: interval, work.changingMerges(change))
        case .retry(let attempts, let backoff, let work):
            .retry(attempts: attempts, backoff, work.changingMerges(change))
        case .none, .run, .call, .dispatch, .merge, .cancel: self
        }
    }
}
