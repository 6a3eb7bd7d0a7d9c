// SPDX-License-Identifier: MIT

/// What the store does besides its log.
package struct ActivityQuestion: LogQuestion {
    package static let address = "activity"
    package static let tool: QuestionTool? = QuestionTool(
        "activity",
        "What the store is doing, and what it costs: effects at work and live subscriptions with the places that made them (leaks show here), time in reducers by type of action, in subscribers and in selectors."
    )

    package init() {}

    package func answer(from store: AskedStore) -> StoreActivity { store.store.activity }
}

extension StoreActivity: LogAnswer {
    package static var example: StoreActivity { StoreActivity() }

    package var bounded: StoreActivity {
        var activity = self
        activity.costs = costs.bounded(500) {
            $0.count = $0.count.bounded
            $0.total = min($0.total.bounded, 1 << 50)
            $0.worst = min($0.worst.bounded, 1 << 50)
        }
        activity.effects = effects.bounded(500) {
            $0.since = $0.since.bounded
            $0.entry = $0.entry?.bounded
        }
        activity.effectCount = effectCount.bounded
        activity.subscribers = subscribers.bounded(500) {
            $0.count = $0.count.bounded
            $0.version = min($0.version, 1 << 52)
            $0.entry = $0.entry?.bounded
            $0.calls = $0.calls.bounded
            $0.skipped = $0.skipped?.bounded
            $0.total = min($0.total.bounded, 1 << 50)
            $0.worst = min($0.worst.bounded, 1 << 50)
        }
        activity.subscriberCount = subscriberCount.bounded
        activity.earlierSubscribers = earlierSubscribers.bounded
        activity.pageRevision = min(pageRevision, 1 << 52)
        activity.earlier = earlier.bounded(500) { $0.count = $0.count.bounded }
        activity.refusals = refusals.bounded(500) { $0.count = $0.count.bounded }
        activity.selectors = selectors.bounded(500) {
            $0.evaluations = $0.evaluations.bounded
            $0.hits = $0.hits.bounded
            $0.total = $0.total.map { min($0.bounded, 1 << 50) }
            $0.worst = $0.worst.map { min($0.bounded, 1 << 50) }
        }
        return activity
    }

    package var lines: [String] {
        effects.map { "\($0.phase)  \($0.description)" }
            + subscribers.map { subscriber in
                let place = subscriber.origin.isEmpty ? "the library" : subscriber.origin
                let since =
                    subscriber.version == 0 ? "the beginning" : "version \(subscriber.version)"
                let skipped = subscriber.skipped ?? 0
                return "\(subscriber.count) subscribed at \(place) since \(since), "
                    + "\(subscriber.calls) calls\(skipped == 0 ? "" : ", \(skipped) skipped")  "
                    + "\(subscriber.total) ns, at most \(subscriber.worst) ns"
            }
            + earlier.map { earlier in
                let value = earlier.value.isEmpty ? "" : ", of \(earlier.value)"
                return "\(earlier.count) subscribed before the store was attached\(value)"
            }
            + costs.map { "\($0.count) × \($0.name)  \($0.total) ns, at most \($0.worst) ns" }
            + selectors.map { selector in
                let time = selector.total.map { "  \($0) ns" } ?? ""
                return
                    "\(selector.evaluations) computed, \(selector.hits) at hand  \(selector.description)\(time)"
            }
    }
}
