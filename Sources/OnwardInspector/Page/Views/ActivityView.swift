// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardInspection

/// What a store is doing, and what its actions cost.
struct ActivityView: Equatable, Sendable {
    struct Cost: Equatable, Sendable {
        let name: String
        let url: String
        let count: Int
        let total: String
        let mean: String
        let worst: String
        /// Of the time of all, in hundredths.
        let share: Int
    }
    struct Effect: Equatable, Sendable {
        let text: String
        let phase: String
        let since: String
        let isKept: Bool
    }
    struct Selector: Equatable, Sendable {
        let text: String
        let evaluations: Int
        let hits: Int
    }

    let head: PaneHead
    let costs: [Cost]
    let hasCosts: Bool
    let effects: [Effect]
    let hasEffects: Bool
    let selectors: [Selector]
    let hasSelectors: Bool

    init(_ head: PaneHead, _ view: InspectorView, _ activity: StoreActivity) {
        self.head = head
        let all = max(activity.costs.reduce(0) { $0 + $1.total }, 1)
        costs = activity.costs.map { cost in
            Cost(
                name: cost.name, url: view.place.with { ($0.text, $0.end) = (cost.name, nil) }.url,
                count: cost.count, total: Words.span(cost.total),
                mean: Words.span(cost.total / Int64(max(cost.count, 1))),
                worst: Words.span(cost.worst), share: Int(cost.total * 100 / all))
        }
        effects = activity.effects.map {
            Effect(
                text: $0.description, phase: $0.phase, since: Words.time($0.since),
                isKept: $0.isKeptByState)
        }
        selectors = activity.selectors.map {
            Selector(text: $0.description, evaluations: $0.evaluations, hits: $0.hits)
        }
        hasCosts = !costs.isEmpty
        hasEffects = !effects.isEmpty
        hasSelectors = !selectors.isEmpty
    }
}
#endif
