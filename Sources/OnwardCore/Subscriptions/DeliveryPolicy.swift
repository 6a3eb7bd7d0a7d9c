// SPDX-License-Identifier: MIT

/// How often a subscriber wants to be notified.
///
/// Whatever the policy, values come in version order, and `old` is the last value that this
/// subscriber was given.
public enum DeliveryPolicy: Sendable, Hashable {
    /// Each commit that changed the value.
    case every
    /// Only the newest value, when several changes wait: behind a slow subscriber, or for an actor
    /// that is busy.
    case latest
    /// The first change at once, then the newest value at most once per duration on the store's
    /// clock. A call after a pause comes on the subscriber's actor, or from the thread that delivers at
    /// that moment, a thread of the store's own if none does. It begins a chain of its own: a subscriber
    /// that answers each call with a dispatch goes on like a timer.
    case atMostOnce(per: Duration)
}
