// SPDX-License-Identifier: MIT

/// When effects began and ended.
package struct EffectsQuestion: LogQuestion {
    package static let address = "effects"
    package static let fields: [QuestionField] = [
        QuestionField(
            "span", .integer, "The nanoseconds that are wanted; as many as it takes unless given."),
        QuestionField(
            "entry", .integer,
            "The id of the entry around which they lie; the newest ones unless given."),
        QuestionField(
            "origin", .text, "Only those of this place in the source, such as Shop/Cart.swift:12."),
        QuestionField("without", .texts, "None of those of this place in the source."),
        QuestionField(
            "before", .integer, "Only those before this number, `earlier` of a page."), .limit,
    ]
    package static let tool: QuestionTool? = QuestionTool(
        "effects",
        "The life-lines of effects: when each began and ended, how, and the entry that started it; with the times of the entries beside them. The newest ones, or with `span` those of so many nanoseconds, around `entry` if it is given."
    )

    private var span: Int64?
    private var entry: Int?
    private var origin: String?
    private var without: [String]?
    private var before: Int?
    private var limit: Int?

    package init(_ query: EffectQuery) {
        (span, entry, limit) = (query.span, query.entry, query.limit)
        origin = query.origin.isEmpty ? nil : query.origin
        without = query.hiddenOrigins.sorted()
        before = query.before.map { Int(clamping: $0) }
    }

    package func answer(from store: AskedStore) -> EffectPage {
        var query = EffectQuery()
        (query.span, query.entry, query.origin) = (span, entry, origin ?? "")
        query.hiddenOrigins = Set(without ?? [])
        query.before = before.map { UInt64(max($0, 0)) }
        query.limit = limit ?? query.limit
        return store.log.effects(query)
    }
}

extension EffectPage: LogAnswer {
    package static var example: EffectPage { EffectPage() }

    /// The page with times in order on its axis.
    package var bounded: EffectPage {
        var page = self
        page.start = start.bounded
        page.end = max(end.bounded, page.start)
        page.omitted = omitted.bounded
        page.earlier = earlier.map { min($0, 1 << 52) }
        page.sources = sources.bounded(EffectPage.mostSources) { $0.count = $0.count.bounded }
        page.effects = effects.bounded(EffectQuery.mostEffects) {
            let start = $0.start.bounded
            $0.start = start
            $0.end = $0.end.map { max($0.bounded, start) }
            $0.entry = $0.entry?.bounded
        }
        page.entries = entries.bounded(EffectQuery.mostEntries) {
            $0.entry = $0.entry.bounded
            $0.time = $0.time.bounded
        }
        return page
    }

    package var lines: [String] {
        effects.map { effect in
            let time = effect.end.map { "\($0 - effect.start) ns  " } ?? ""
            let error = effect.error.map { ": \($0)" } ?? ""
            return "+\(effect.start - start) ns  \(effect.phase)\(error)  \(time)"
                + effect.description
        }
    }
}
