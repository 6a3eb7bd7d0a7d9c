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
        activity.costs = costs.prefix(500).map { cost in
            var cost = cost
            cost.count = cost.count.bounded
            cost.total = min(cost.total.bounded, 1 << 50)
            cost.worst = min(cost.worst.bounded, 1 << 50)
            return cost
        }
        activity.effects = effects.prefix(500).map { effect in
            var effect = effect
            effect.since = effect.since.bounded
            effect.entry = effect.entry?.bounded
            return effect
        }
        activity.effectCount = effectCount.bounded
        activity.subscribers = subscribers.prefix(500).map { subscriber in
            var subscriber = subscriber
            subscriber.count = subscriber.count.bounded
            subscriber.version = min(subscriber.version, 1 << 52)
            subscriber.entry = subscriber.entry?.bounded
            subscriber.calls = subscriber.calls.bounded
            subscriber.total = min(subscriber.total.bounded, 1 << 50)
            subscriber.worst = min(subscriber.worst.bounded, 1 << 50)
            return subscriber
        }
        activity.subscriberCount = subscriberCount.bounded
        activity.earlierSubscribers = earlierSubscribers.bounded
        activity.pageRevision = min(pageRevision, 1 << 52)
        activity.earlier = earlier.prefix(500).map { earlier in
            var earlier = earlier
            earlier.count = earlier.count.bounded
            return earlier
        }
        activity.refusals = refusals.prefix(500).map { refusal in
            var refusal = refusal
            refusal.count = refusal.count.bounded
            return refusal
        }
        activity.selectors = selectors.prefix(500).map { selector in
            var selector = selector
            selector.evaluations = selector.evaluations.bounded
            selector.hits = selector.hits.bounded
            selector.total = selector.total.map { min($0.bounded, 1 << 50) }
            selector.worst = selector.worst.map { min($0.bounded, 1 << 50) }
            return selector
        }
        return activity
    }

    package var lines: [String] {
        effects.map { "\($0.phase)  \($0.description)" }
            + subscribers.map { subscriber in
                let place = subscriber.origin.isEmpty ? "the library" : subscriber.origin
                let since =
                    subscriber.version == 0 ? "the beginning" : "version \(subscriber.version)"
                return "\(subscriber.count) subscribed at \(place) since \(since), "
                    + "\(subscriber.calls) calls  \(subscriber.total) ns, at most \(subscriber.worst) ns"
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
