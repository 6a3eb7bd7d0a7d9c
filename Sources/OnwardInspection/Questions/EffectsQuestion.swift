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
        page.sources = sources.prefix(EffectPage.mostSources).map { source in
            var source = source
            source.count = source.count.bounded
            return source
        }
        page.effects = effects.prefix(EffectQuery.mostEffects).map { effect in
            var effect = effect
            effect.start = effect.start.bounded
            effect.end = effect.end.map { max($0.bounded, effect.start) }
            effect.entry = effect.entry?.bounded
            return effect
        }
        page.entries = entries.prefix(EffectQuery.mostEntries).map { mark in
            var mark = mark
            mark.entry = mark.entry.bounded
            mark.time = mark.time.bounded
            return mark
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
