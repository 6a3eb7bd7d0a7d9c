// SPDX-License-Identifier: MIT

internal import OnwardCore

// A modifier is put around what stands before it, so their order counts:
// `.debounce(for: d).retry(attempts: n)` waits before each attempt, `.retry(attempts: n).debounce(for: d)` before
// the first.

extension Effect {
    /// Starts only when no further effect of the same name came for a duration; earlier ones that wait
    /// are dropped.
    ///
    /// An effect that already runs continues, unless the policy of the new one is `.latest`: then it is cancelled at
    /// once, as its answer is out of date before the pause is over. On the store's clock.
    ///
    /// The name is the id of the effect. Without one, all effects that are made by the same part of a feature, for
    /// the same instance, and have as many debounces and throttles inside this one, count as the same: where a part
    /// makes several that should not meet, give them ids. It stands around the modifiers that are written before
    /// it: a further debounce or throttle comes into play before this one.
    public func debounce(for duration: Duration) -> Effect { gated(.debounce(duration)) }

    /// Starts at most one effect of the same name per duration.
    ///
    /// On the store's clock. Which effects have the same name, and how it stands to other modifiers, is as for
    /// ``debounce(for:)``.
    ///
    /// - Parameters:
    ///   - duration: The least time between two starts.
    ///   - edge: Which of the effects that come within it start.
    /// - Returns: The throttled effect.
    public func throttle(for duration: Duration, _ edge: ThrottleEdge = .leading) -> Effect {
        gated(.throttle(duration, edge))
    }

    /// Cancels the work when it takes longer than a duration of the store's clock, and makes it throw
    /// ``EffectTimeout``.
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
    ///   - isWorthwhile: Whether to try again after an error; otherwise that is the error of the effect.
    /// - Returns: The effect with its further attempts.
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

    /// Does the work at once and then at each interval of the store's clock, until it is cancelled or
    /// throws.
    ///
    /// Work that takes longer than an interval misses some; it never overlaps with itself. An interval
    /// that is not above zero counts as a nanosecond: the work begins again when it has ended. In a
    /// `merge`, each of the effects is repeated by itself.
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
        case .gate(let gate, let work): .gate(gate, work.changingMerges(change))
        case .timeout(let duration, let work): .timeout(duration, work.changingMerges(change))
        case .repeating(let interval, let work):
            .repeating(every: interval, work.changingMerges(change))
        case .retry(let terms, let work): .retry(terms, work.changingMerges(change))
        case .none, .run, .call, .dispatch, .merge, .cancel: self
        }
    }
}

/// How often, when and after which errors work is done again.
struct RetryTerms: Sendable {
    let attempts: Int
    let backoff: Backoff
    let isWorthwhile: @Sendable (any Error) -> Bool
}
