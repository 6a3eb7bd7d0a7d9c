// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// The current effects and subscriptions of a store, each with its origin.
struct ActivityView: Equatable, Sendable {
    struct Effect: Equatable, Sendable {
        let name: String
        let origin: String
        let phase: String
        let since: String
        let entry: EntryLink?
        let isKept: Bool
    }
    struct Subscriber: Equatable, Sendable {
        let origin: String
        let value: String
        let count: Int
        let entry: EntryLink?
        let since: String
    }

    /// Subscriptions whose places are unknown.
    struct Earlier: Equatable, Sendable {
        let count: String
        let values: String?
    }

    let head: PaneHead
    let forms: [Choice]
    let effects: [Effect]
    let effectCount: Int
    let hasEffects: Bool
    let moreEffects: Int?
    let subscribers: [Subscriber]
    let subscriberCount: Int
    let hasSubscribers: Bool
    let earlier: Earlier?
    let refusals: [StoreActivity.Refusal]
    let hasRefusals: Bool

    init(_ head: PaneHead, _ view: InspectorView, _ activity: StoreActivity) {
        self.head = head
        forms = Choice.ofActivity(view)
        effects = activity.effects.map { effect in
            Effect(
                name: effect.name ?? effect.origin ?? effect.description,
                origin: effect.name == nil ? "" : effect.origin ?? "", phase: effect.phase,
                since: Words.time(effect.since),
                entry: effect.entry.map { EntryLink($0, view) }, isKept: effect.isKeptByState)
        }
        effectCount = activity.effectCount
        hasEffects = !effects.isEmpty
        let hidden = activity.effectCount - effects.count
        moreEffects = hidden > 0 ? hidden : nil
        subscribers = activity.subscribers.map { subscriber in
            Subscriber(
                origin: subscriber.place, value: subscriber.value, count: subscriber.count,
                entry: subscriber.entry.map { EntryLink($0, view) },
                since: subscriber.version == 0 ? "the beginning" : "version \(subscriber.version)")
        }
        subscriberCount = activity.subscriberCount
        hasSubscribers = !subscribers.isEmpty
        earlier = activity.earlierSubscribers > 0 ? Earlier(activity) : nil
        refusals = activity.refusals
        hasRefusals = !refusals.isEmpty
    }
}

extension ActivityView.Earlier {
    fileprivate init(_ activity: StoreActivity) {
        let all = activity.earlierSubscribers
        count = all == 1 ? "1 subscription was" : "\(all) subscriptions were"
        // The most frequent ones; the library's own subscriptions may have long types.
        let known = activity.earlier.filter { !$0.value.isEmpty }.prefix(6).map { earlier in
            let value = earlier.value.count > 60 ? "\(earlier.value.prefix(60))…" : earlier.value
            return earlier.count == 1 ? value : "\(value) (\(earlier.count)×)"
        }
        values = known.isEmpty ? nil : known.joined(separator: ", ")
    }
}

/// An entry, and where it is shown.
struct EntryLink: Equatable, Sendable {
    let id: Int
    let url: String

    init(_ id: Int, _ view: InspectorView) {
        self.id = id
        url = view.place.with { ($0.entry, $0.pane, $0.first) = (id, .action, 0) }.url
    }
}

extension StoreActivity.Subscriber {
    /// Where they subscribed, for people.
    var place: String {
        origin.isEmpty ? "By the library, for views and effects of the state" : origin
    }
}

extension Choice {
    /// The parts of what is looked at besides the log.
    static func ofActivity(_ view: InspectorView) -> [Choice] {
        let place = view.place
        let panes: [(Place.Pane, String)] = [(.activity, "Alive"), (.effects, "Effects")]
        return panes.map { pane, name in
            Choice(
                name: name, url: place.with { ($0.pane, $0.until) = (pane, nil) }.url,
                current: pane == place.pane ? "page" : nil)
        }
            + (view.seen?.pages ?? []).map { page in
                Choice(
                    name: page.title, url: place.with { $0.show(page: page.name) }.url,
                    current: place.pane == .page && place.page == page.name ? "page" : nil)
            }
    }
}
#endif
