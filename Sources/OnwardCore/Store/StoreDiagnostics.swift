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
    private let subscribers: [Subscriber]

    fileprivate init(count: Int, _ subscribers: [Subscriber]) {
        (self.count, self.subscribers) = (count, subscribers)
    }

    /// The type each of them is notified of, nil if it has no single type, and its meter, nil if it
    /// subscribed before the store was inspected.
    package var all: [(type: Any.Type?, meter: SubscriberMeter?)] {
        subscribers.map { ($0.notifiedType, $0.meter) }
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
            var subscribers: [Subscriber] = []
            var count = 0
            for group in groups {
                count += group.count
                if subscribers.count < limit { subscribers += group.everyone(locked) }
            }
            return LiveSubscribers(count: count, subscribers)
        }
    }
}
