// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// The costs of reducers, subscribers and selectors.
struct CostsView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let name: String
        /// What it is notified of.
        let value: String
        let url: String?
        let count: Int
        /// How often nothing had to be done.
        let spared: Int
        let total: String
        let mean: String
        let worst: String
        /// The share of the total time, in hundredths.
        let share: Int
    }

    /// The total costs of one kind.
    struct Total: Equatable, Sendable {
        let count: Int
        let time: String

        init(_ count: Int, _ time: Int64) { (self.count, self.time) = (count, Words.span(time)) }
    }

    let head: PaneHead
    let forms: [Choice]
    let actions: [Row]
    let hasActions: Bool
    let allActions: Total
    let subscribers: [Row]
    let hasSubscribers: Bool
    let allSubscribers: Total
    /// Why subscribers are missing or incomplete; nil if they are complete.
    let unmeasured: String?
    let selectors: [Row]
    let hasSelectors: Bool
    let allSelectors: Total

    init(_ head: PaneHead, _ view: InspectorView, _ activity: StoreActivity) {
        self.head = head
        forms = Choice.ofActivity(view)
        let all = activity.costs.reduce(0) { $0 + $1.total }
        actions = activity.costs.map { cost in
            Row(
                name: cost.name,
                url: view.place.with { ($0.text, $0.end) = (cost.name, nil) }.url,
                count: cost.count, total: cost.total, worst: cost.worst, of: all)
        }
        let called = activity.subscribers.reduce(0) { $0 + $1.total }
        subscribers = activity.subscribers.filter { $0.calls > 0 }
            .sorted { ($1.total, $0.origin, $0.value) < ($0.total, $1.origin, $1.value) }
            .map { subscriber in
                Row(
                    name: subscriber.place, value: subscriber.value, count: subscriber.calls,
                    total: subscriber.total, worst: subscriber.worst, of: called)
            }
        let computed = activity.selectors.reduce(0) { $0 + ($1.total ?? 0) }
        selectors = activity.selectors.map { selector in
            Row(
                name: selector.description, count: selector.evaluations, spared: selector.hits,
                total: selector.total ?? 0, worst: selector.worst ?? 0, of: computed)
        }
        allActions = Total(activity.costs.reduce(0) { $0 + $1.count }, all)
        allSubscribers = Total(activity.subscribers.reduce(0) { $0 + $1.calls }, called)
        allSelectors = Total(activity.selectors.reduce(0) { $0 + $1.evaluations }, computed)
        unmeasured = Self.unmeasured(activity)
        hasActions = !actions.isEmpty
        hasSubscribers = !subscribers.isEmpty
        hasSelectors = !selectors.isEmpty
    }

    private static func unmeasured(_ activity: StoreActivity) -> String? {
        let (early, all) = (activity.earlierSubscribers, activity.subscriberCount)
        if early > 0 {
            let came = early == 1 ? "1 subscription came" : "\(early) subscriptions came"
            return "\(came) before the store was attached; only later ones are measured."
        }
        if activity.subscribers.contains(where: { $0.calls > 0 }) { return nil }
        return all == 0
            ? "Nobody subscribes. A page of OnwardServer reads the log instead."
            : "None of the \(all) subscriptions has been called since the store was attached."
    }
}

extension CostsView.Row {
    fileprivate init(
        name: String, value: String = "", url: String? = nil, count: Int, spared: Int = 0,
        total: Int64, worst: Int64, of all: Int64
    ) {
        self.init(
            name: name, value: value, url: url, count: count, spared: spared,
            total: Words.span(total), mean: Words.span(total / Int64(max(count, 1))),
            worst: Words.span(worst), share: Int(total * 100 / max(all, 1)))
    }
}
#endif
