// SPDX-License-Identifier: MIT

internal import OnwardCore

// A modifier wraps everything before it, so the order of modifiers matters:
// `.debounce(for: d).retry(attempts: n)` waits before each attempt,
// `.retry(attempts: n).debounce(for: d)` before the first.

extension Effect {
    /// Delays the effect until a duration has passed without another effect of the same name;
    /// earlier effects that are still waiting are dropped.
    ///
    /// An effect that is already running continues, unless the new one has the policy `.latest`:
    /// then it is cancelled at once, because its answer is out of date even before the pause is
    /// over. The duration is measured on the store's clock.
    ///
    /// The name is the effect's id. Without an id, all effects that the same part of a feature
    /// makes for the same instance, with the same number of debounces and throttles inside this
    /// one, share a name. If a part makes several effects that should not affect each other, give
    /// them ids. This modifier wraps those written before it; a further debounce or throttle takes
    /// effect before this one.
    public func debounce(for duration: Duration) -> Effect { gated(.debounce(duration)) }

    /// Starts at most one effect of the same name per duration.
    ///
    /// The duration is measured on the store's clock. Names and the order of modifiers work as for
    /// ``debounce(for:)``.
    ///
    /// - Parameters:
    ///   - duration: The minimum time between two starts.
    ///   - edge: Which of the effects that arrive within the duration start.
    /// - Returns: The throttled effect.
    public func throttle(for duration: Duration, _ edge: ThrottleEdge = .leading) -> Effect {
        gated(.throttle(duration, edge))
    }

    /// Cancels the work if it takes longer than a duration on the store's clock, and makes it throw
    /// ``EffectTimeout``.
    ///
    /// Work that ignores its cancellation continues to its end, but can no longer dispatch. In a
    /// `merge`, each effect gets the whole duration.
    public func timeout(after duration: Duration) -> Effect {
        wrapped { .timeout(duration, $0) }
    }

    /// Retries the work when it throws, after a pause on the store's clock.
    ///
    /// Jitter comes from the store's random source. The error that the last attempt throws is the
    /// effect's error and goes to its handler; earlier errors are not reported, and the handler is
    /// not called for them. A cancelled effect is not retried.
    ///
    /// In a `merge`, each effect is retried on its own, so effects that succeeded are not repeated.
    /// A sequence starts over from its first step, except for a `merge` among its steps. A step
    /// with a handler has dealt with its error, so the sequence continues.
    ///
    /// - Parameters:
    ///   - attempts: The total number of attempts.
    ///   - backoff: How long to wait between two attempts.
    ///   - isWorthwhile: Whether to retry after an error; if not, it is the effect's error.
    /// - Returns: The effect with retries.
    public func retry(
        attempts: Int, _ backoff: Backoff = .exponential(),
        when isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) -> Effect {
        let terms = RetryTerms(attempts: attempts, backoff: backoff, isWorthwhile: isWorthwhile)
        return retry(terms)
    }

    private func retry(_ terms: RetryTerms) -> Effect {
        wrapped { work in .retry(terms, work.changingMerges { $0.retry(terms) }) }
    }

    /// Runs the work at once and then at each interval of the store's clock, until it is cancelled
    /// or throws.
    ///
    /// Work that takes longer than an interval misses some intervals; it never overlaps with
    /// itself. An interval of zero or less counts as a nanosecond, so the work starts again as soon
    /// as it has ended. In a `merge`, each effect is repeated on its own.
    public func repeated(every interval: Duration) -> Effect {
        wrapped { .repeating(every: max(interval, .nanoseconds(1)), $0) }
    }

    private func gated(_ timing: EffectTiming) -> Effect {
        if case .none = work { return self }
        var effect = self
        let level = gateCount
        effect.work = .gate(EffectGate(level: level, timing: timing), work)
        effect.terms.gateCount = level + 1
        return effect
    }

    private func wrapped(_ wrap: (EffectWork) -> EffectWork) -> Effect {
        var effect = self
        switch work {
        case .none: break
        // The effects of a merge report their own errors, so each one is wrapped.
        case .merge(let effects): effect.work = .merge(effects.map { $0.wrapped(wrap) })
        default: effect.work = wrap(work)
        }
        return effect
    }
}

extension EffectWork {
    /// The same work with the merges among the steps of its sequences changed.
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
        case .gate(let gate, let work): .gate(gate, work.changingMerges(change))
        case .timeout(let duration, let work): .timeout(duration, work.changingMerges(change))
        case .repeating(let interval, let work):
            .repeating(every: interval, work.changingMerges(change))
        case .retry(let terms, let work): .retry(terms, work.changingMerges(change))
        case .none, .run, .call, .dispatch, .merge, .cancel: self
        }
    }
}

/// How often, when and after which errors work is retried.
struct RetryTerms: Sendable {
    let attempts: Int
    let backoff: Backoff
    let isWorthwhile: @Sendable (any Error) -> Bool
}
