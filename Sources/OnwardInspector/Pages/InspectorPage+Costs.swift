// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

extension InspectorPage {
    /// The costs of reducers, subscribers and selectors.
    static let costs = InspectorPage("costs", title: "Costs", isLive: true) { context in
        let activity = context.activity
        return [.heading("Time in reducers")] + reducers(activity)
            + [.heading("Time in subscribers")] + subscribers(activity)
            + [.heading("Time in selectors")] + selectors(activity)
            + [
                .note(
                    """
                    Since the store was attached. A call of a subscriber includes what it dispatches; a selector’s time \
                    includes comparing what it reads, but not the selectors below it.
                    """)
            ]
    }

    private static func reducers(_ activity: StoreActivity) -> [PageBlock] {
        let costs = activity.costs
        guard !costs.isEmpty else {
            return [.note("No action has been committed since the store was attached.")]
        }
        let all = costs.reduce(0) { $0 + $1.total }
        return [
            .table(
                PageTable(
                    columns: ["Action", "Count"] + timeColumns,
                    rows: costs.map { cost in
                        [PageCell(cost.name, link: .entries(text: cost.name)), "\(cost.count)"]
                            + times(cost.count, cost.total, cost.worst, of: all)
                    },
                    sum: sum(costs.reduce(0) { $0 + $1.count }, all)))
        ]
    }

    private static func subscribers(_ activity: StoreActivity) -> [PageBlock] {
        let called = activity.subscribers.filter { $0.calls > 0 }
            .sorted { ($1.total, $0.origin, $0.value) < ($0.total, $1.origin, $1.value) }
        let all = called.reduce(0) { $0 + $1.total }
        let table = PageTable(
            columns: ["Subscribed at", "Calls"] + timeColumns,
            rows: called.map { subscriber in
                [
                    PageCell(subscriber.place, aside: subscriber.value, isCode: true),
                    calls(subscriber),
                ] + times(subscriber.calls, subscriber.total, subscriber.worst, of: all)
            },
            sum: sum(called.reduce(0) { $0 + $1.calls }, all))
        return (called.isEmpty ? [] : [.table(table)])
            + (unmeasured(activity).map { [.note($0)] } ?? [])
    }

    private static func calls(_ subscriber: StoreActivity.Subscriber) -> PageCell {
        let skipped = subscriber.skipped ?? 0
        return PageCell("\(subscriber.calls)", aside: skipped == 0 ? "" : "\(skipped) skipped")
    }

    /// Why subscribers are missing or incomplete; nil if they are complete.
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

    private static func selectors(_ activity: StoreActivity) -> [PageBlock] {
        let selectors = activity.selectors
        guard !selectors.isEmpty else { return [.note("No selector is in use.")] }
        return [
            .table(
                PageTable(
                    columns: [
                        "Selector", "Computed", "At hand", "Together",
                        PageColumn("Each", isMinor: true), PageColumn("Slowest", isMinor: true),
                    ],
                    rows: selectors.map { selector in
                        let (count, total) = (selector.evaluations, selector.total ?? 0)
                        return [
                            PageCell(selector.description, isCode: true), "\(count)",
                            "\(selector.hits)", "\(Words.span(total))",
                            "\(Words.span(total / Int64(max(count, 1))))",
                            "\(Words.span(selector.worst ?? 0))",
                        ]
                    },
                    sum: [
                        "All", "\(selectors.reduce(0) { $0 + $1.evaluations })", "",
                        "\(Words.span(selectors.reduce(0) { $0 + ($1.total ?? 0) }))",
                    ]))
        ]
    }

    private static var timeColumns: [PageColumn] {
        [
            "Together", PageColumn("Share", isMinor: true), PageColumn("Each", isMinor: true),
            "Slowest",
        ]
    }

    private static func times(
        _ count: Int, _ total: Int64, _ worst: Int64, of all: Int64
    ) -> [PageCell] {
        [
            "\(Words.span(total))", "\(total * 100 / max(all, 1)) %",
            "\(Words.span(total / Int64(max(count, 1))))", "\(Words.span(worst))",
        ]
    }

    private static func sum(_ count: Int, _ total: Int64) -> [PageCell] {
        ["All", "\(count)", "\(Words.span(total))"]
    }
}
#endif
