// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

// An app that connects may be any program. Its texts are shown as texts; here its numbers are made
// safe for arithmetic, and its lists no longer than requested.

extension RemoteAnswer {
    /// The answer with sensible numbers, in no more parts than a page has.
    var contained: RemoteAnswer {
        switch self {
        case .entries(let page): .entries(page.contained)
        case .entry(let detail): .entry(detail.contained)
        case .state(let node): .state(node.contained)
        case .found(let nodes): .found(nodes.prefix(1_000).map(\.contained))
        case .changes(let changes): .changes(Array(changes.prefix(10_000)))
        case .actions(let forms, let names):
            .actions(Array(forms.prefix(1_000)), names: Array(names.prefix(1_000)))
        case .activity(let activity): .activity(activity.contained)
        case .effects(let page): .effects(page.contained)
        case .page(let blocks): .page(blocks.bounded)
        case .search(.searching(let entries, let runs)):
            .search(.searching(entries: entries.contained, runs: runs.contained))
        case .text, .test, .search, .none, .failed: self
        }
    }
}

extension Int {
    /// A count, clamped however large it was reported to be.
    fileprivate var contained: Int { Swift.min(Swift.max(self, 0), 1 << 52) }
}

extension Int64 {
    fileprivate var contained: Int64 { Swift.min(Swift.max(self, 0), 1 << 62) }
}

extension LogSummary {
    /// The summary with numbers that fit one another.
    var contained: LogSummary {
        var summary = self
        summary.count = count.contained
        summary.cursor = min(cursor.contained, summary.count)
        summary.shownID = shownID.contained
        summary.newestID = newestID.contained
        summary.skipped = skipped.contained
        summary.limit = limit.contained
        summary.taken = taken.contained
        summary.revision = revision.contained
        summary.keptBytes = keptBytes.contained
        return summary
    }
}

extension EntryPage {
    fileprivate var contained: EntryPage {
        var page = self
        var ids: Set<Int> = []
        page.entries = entries.prefix(EntryQuery.mostEntries).map(\.contained)
            .filter { ids.insert($0.id).inserted }
        page.earlier = earlier?.contained
        page.later = later?.contained
        page.examined = examined.contained
        return page
    }
}

extension EntryLine {
    fileprivate var contained: EntryLine {
        var line = self
        line.id = id.contained
        line.moment = moment.contained
        line.time = time.contained
        line.delta = min(max(delta, -1), 1 << 62)
        line.line = self.line.contained
        line.since = since?.contained
        return line
    }
}

extension EntryDetail {
    fileprivate var contained: EntryDetail {
        var detail = self
        detail.line = line.contained
        detail.payload = payload.contained
        return detail
    }
}

extension StateNode {
    fileprivate var contained: StateNode {
        var node = self
        node.count = count.contained
        node.first = min(first.contained, node.count)
        node.parts = parts.prefix(1_000).map(\.contained)
        return node
    }
}

extension StoreActivity {
    fileprivate var contained: StoreActivity {
        var activity = self
        activity.costs = costs.prefix(500).map { cost in
            var cost = cost
            cost.count = cost.count.contained
            cost.total = min(cost.total.contained, 1 << 50)
            cost.worst = min(cost.worst.contained, 1 << 50)
            return cost
        }
        activity.effects = effects.prefix(500).map { effect in
            var effect = effect
            effect.since = effect.since.contained
            effect.entry = effect.entry?.contained
            return effect
        }
        activity.effectCount = effectCount.contained
        activity.subscribers = subscribers.prefix(500).map { subscriber in
            var subscriber = subscriber
            subscriber.count = subscriber.count.contained
            subscriber.version = min(subscriber.version, 1 << 52)
            subscriber.entry = subscriber.entry?.contained
            subscriber.calls = subscriber.calls.contained
            subscriber.total = min(subscriber.total.contained, 1 << 50)
            subscriber.worst = min(subscriber.worst.contained, 1 << 50)
            return subscriber
        }
        activity.subscriberCount = subscriberCount.contained
        activity.earlierSubscribers = earlierSubscribers.contained
        activity.pageRevision = min(pageRevision, 1 << 52)
        activity.earlier = earlier.prefix(500).map { earlier in
            var earlier = earlier
            earlier.count = earlier.count.contained
            return earlier
        }
        activity.refusals = refusals.prefix(500).map { refusal in
            var refusal = refusal
            refusal.count = refusal.count.contained
            return refusal
        }
        activity.selectors = selectors.prefix(500).map { selector in
            var selector = selector
            selector.evaluations = selector.evaluations.contained
            selector.hits = selector.hits.contained
            selector.total = selector.total.map { min($0.contained, 1 << 50) }
            selector.worst = selector.worst.map { min($0.contained, 1 << 50) }
            return selector
        }
        return activity
    }
}

extension EffectPage {
    /// The page with times in order on its axis.
    fileprivate var contained: EffectPage {
        var page = self
        page.start = start.contained
        page.end = max(end.contained, page.start)
        page.omitted = omitted.contained
        page.earlier = earlier.map { min($0, 1 << 52) }
        page.sources = sources.prefix(EffectPage.mostSources).map { source in
            var source = source
            source.count = source.count.contained
            return source
        }
        page.effects = effects.prefix(EffectQuery.mostEffects).map { effect in
            var effect = effect
            effect.start = effect.start.contained
            effect.end = effect.end.map { max($0.contained, effect.start) }
            effect.entry = effect.entry?.contained
            return effect
        }
        page.entries = entries.prefix(EffectQuery.mostEntries).map { mark in
            var mark = mark
            mark.entry = mark.entry.contained
            mark.time = mark.time.contained
            return mark
        }
        return page
    }
}
#endif
