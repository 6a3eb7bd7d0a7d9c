// SPDX-License-Identifier: MIT

internal import OnwardCore

/// How long to wait before an effect that failed is tried again.
public struct Backoff: Sendable, Hashable {
    /// The wait before the second attempt.
    let first: Duration
    /// The factor by which each further wait grows.
    let factor: Double
    /// The longest wait.
    let longest: Duration
    /// The part of a wait that is random, from 0 to 1.
    ///
    /// A wait `w` becomes a random one between `w · (1 - jitter)` and `w`, so that effects that
    /// failed together don't all come back together.
    let jitter: Double

    /// Waits that grow by a factor up to a limit.
    public static func exponential(
        from first: Duration = .seconds(1), factor: Double = 2,
        upTo longest: Duration = .seconds(60), jitter: Double = 0.5
    ) -> Backoff {
        Backoff(first: first, factor: factor, longest: longest, jitter: jitter)
    }

    /// Waits that always have the same length.
    public static func constant(_ duration: Duration) -> Backoff {
        Backoff(first: duration, factor: 1, longest: duration, jitter: 0)
    }

    /// The wait after a failed attempt; the first attempt is 1.
    package func delay(after attempt: Int, using random: inout some RandomNumberGenerator)
        -> Duration
    {
        var wait = max(.zero, min(first, longest))
        var left = attempt - 1
        while left > 0, wait > .zero, wait < longest {
            // Stops at the limit, before a product can overflow.
            guard (wait / longest) * factor < 1 else {
                wait = longest
                break
            }
            wait = wait * max(factor, 0)
            if factor == 1 { break }
            left -= 1
        }
        let jitter = min(max(jitter, 0), 1)
        guard jitter > 0 else { return wait }
        return wait * (1 - jitter * Double.random(in: 0...1, using: &random))
    }
}
