// SPDX-License-Identifier: MIT

/// What a store reports about itself, for tests, inspectors and reports; reading it changes
/// nothing.
///
/// It may be read from any thread.
public struct StoreDiagnostics<State: Sendable>: Sendable {
    package let store: Store<State>

    /// How many actions found only absent slices or rows, and so changed nothing.
    public var absences: UInt64 {
        let engine = store.engine
        return engine.whole { $0.state.absences }
    }

    /// How many values subscribers were not notified of, because later ones came before their turn: one for each subscriber
    /// of a value that a commit may have changed while an earlier one waited to be notified.
    ///
    /// What a batch replaces isn't counted. Who needs every commit reads the log, or a sequence with
    /// ``Buffering/every(limit:onOverflow:)``.
    public var skippedValues: UInt64 {
        let engine = store.engine
        return engine.whole { $0.state.skippedValues }
    }

    /// Which actions checks have refused, and how often for which reason.
    ///
    /// - Complexity: O(1) until the store refuses the next one.
    public var refusals: RefusalLog {
        let engine = store.engine
        return engine.whole { $0.state.refusals }
    }
}

extension Store {
    /// What the store reports about itself: what it does, what it keeps, what it missed.
    public var diagnostics: StoreDiagnostics<State> { StoreDiagnostics(store: self) }
}

/// The subscribers that a store has at a moment.
package struct LiveSubscribers: Sendable {
    /// How many there are.
    package let count: Int
    /// Those that are looked at, in no order.
    private let subscribers: [(subscriber: Subscriber, skipped: Int)]

    fileprivate init(count: Int, _ subscribers: [(Subscriber, Int)]) {
        (self.count, self.subscribers) = (count, subscribers)
    }

    /// The type each of them is notified of, nil if it has no single type, its meter, nil if it subscribed before the store
    /// was inspected, and how many values it has skipped since.
    package var all: [(type: Any.Type?, meter: SubscriberMeter?, skipped: Int)] {
        subscribers.map { ($0.subscriber.notifiedType, $0.subscriber.meter, $0.skipped) }
    }
}

extension StoreDiagnostics {
    /// Measures all subscribers in the whole store from here on.
    package func measureSubscribers() {
        store.engine.withLockAnywhere { $0.state.metersSubscribers = true }
    }

    /// The subscribers of the whole store.
    ///
    /// - Parameter limit: About how many are looked at, as the store's lock is held meanwhile; the
    ///   others are counted.
    /// - Returns: The subscribers now.
    package func subscribers(limit: Int) -> LiveSubscribers {
        store.engine.withLockAnywhere { locked in
            let groups = locked.state.index.groups
            var subscribers: [(Subscriber, Int)] = []
            var count = 0
            for group in groups {
                count += group.count
                guard subscribers.count < limit else { continue }
                for subscriber in group.everyone(locked) {
                    let skipped = subscriber.meter?.skipped(in: subscriber.group, locked)
                    subscribers.append((subscriber, skipped ?? 0))
                }
            }
            return LiveSubscribers(count: count, subscribers)
        }
    }
}
