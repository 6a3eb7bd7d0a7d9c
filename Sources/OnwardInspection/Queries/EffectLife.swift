// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Selects a part of the time axis.
public struct EffectQuery: Sendable, Hashable {
    /// The maximum number of effects on a page, and of entries beside them.
    public static let (mostEffects, mostEntries) = (200, 500)

    /// The nanoseconds to show; nil for as many as the newest effects take.
    public var span: Int64?
    /// The entry to show in the middle; nil for the newest effects.
    ///
    /// Ignored without a ``span``.
    public var entry: Int?
    /// The place in the source whose effects are selected; empty for all.
    public var origin = ""
    /// The places in the source whose effects are left out.
    public var hiddenOrigins: Set<String> = []
    /// Where the page ends: ``EffectPage/earlier`` of another page; nil for the newest effects.
    public var before: UInt64?
    /// The maximum number of effects, at most ``mostEffects``; older ones are left out.
    public var limit = 60

    /// Creates a query for the newest effects.
    public init() {}
}

/// A part of the time axis, with the effects that were alive then.
///
/// All times are nanoseconds since 1970.
public struct EffectPage: Sendable, Hashable, Codable {
    /// An entry on the time axis.
    public struct Mark: Sendable, Hashable, Codable {
        /// The id of the entry.
        public var entry: Int
        /// When the entry was committed.
        public var time: Int64
    }

    /// A place in the source, and how many of its effects were alive.
    public struct Source: Sendable, Hashable, Codable {
        /// The place of their source code, `Shop/Cart.swift:12`.
        public var origin: String
        /// The number of effects.
        public var count: Int
    }

    /// The start of the axis.
    public var start: Int64 = 0
    /// The end of the axis; effects in progress extend beyond it.
    public var end: Int64 = 0
    /// The effects, the oldest one first.
    public var effects: [EffectLife] = []
    /// How many earlier effects alive at that time aren't on a page yet.
    public var omitted = 0
    /// Where the page with those begins; nil if there are none.
    public var earlier: UInt64?
    /// The places of all effects alive then, selected or not: those with the most effects first.
    public var sources: [Source] = []
    /// The entries, the oldest one first; if there are too many, the newest of them.
    public var entries: [Mark] = []

    /// Creates an empty part of the axis.
    public init() {}

    /// Decodes an inspector's answer; an earlier version includes less.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        start = try fields.decode(Int64.self, forKey: .start)
        end = try fields.decode(Int64.self, forKey: .end)
        effects = try fields.decode([EffectLife].self, forKey: .effects)
        omitted = try fields.decode(Int.self, forKey: .omitted)
        earlier = try fields.decodeIfPresent(UInt64.self, forKey: .earlier)
        sources = try fields.decodeIfPresent([Source].self, forKey: .sources) ?? []
        entries = try fields.decode([Mark].self, forKey: .entries)
    }
}

/// The life of an effect.
public struct EffectLife: Sendable, Hashable, Codable {
    /// The effect's name, its place in the source, and what started it.
    public var description: String
    /// The name that the feature gave it, or else its place.
    public var name: String
    /// The place of its source code, `Shop/Cart.swift:12`.
    public var origin: String
    /// The id of the entry that started it; nil if none did, or the log no longer has it.
    public var entry: Int?
    /// When the effect was handed to the store.
    public var start: Int64
    /// When the effect ended; nil while it is alive.
    public var end: Int64?
    /// `finished`, `failed`, `cancelled`, or `ended by state`: what kept it has changed or gone, or
    /// the past is shown; for a living effect `running`, `waiting`, `queued`, or `cancelled`.
    public var phase: String
    /// The error with which it failed.
    public var error: String?
    /// Whether a piece of the state keeps it alive, as `While` does.
    public var isKeptByState: Bool
}

/// The living effects of a store, and those that ended last.
struct RecordedEffects: Sendable {
    var living: [RunningEffect] = []
    var ended: [EndedEffect] = []
    var now = Timestamp(nanosecondsSince1970: 0)

    init() {}

    init<State: Sendable>(of store: Store<State>) {
        // Those that end in the meantime are in both, rather than in neither.
        living = store.diagnostics.runningEffects
        ended = store.diagnostics.endedEffects
        now = store.engine.options.wallClock()
    }

    /// The lives, in the order in which the effects began.
    var lives: [(effect: RunningEffect, ended: EndedEffect?)] {
        let over = Set(ended.map(\.effect.number))
        return
            (ended.map { ($0.effect, $0) }
            + living.lazy.filter { !over.contains($0.number) }.map { ($0, nil) })
            .sorted { $0.0.number < $1.0.number }
    }
}

extension InspectedHistory {
    /// Returns the lifelines of effects.
    public func effects(_ query: EffectQuery) -> EffectPage {
        var page = EffectPage()
        let staged = log.staged
        var lives = effects.lives.map { life in
            Life(
                effect: life.effect, ended: life.ended,
                start: life.effect.since.nanosecondsSince1970,
                end: life.ended?.end.nanosecondsSince1970)
        }
        let span = query.span.map { min(max($0, 1_000), 1 << 56) }
        if let span {
            if let id = query.entry, id > 0, let moment = moment(after: id),
                let time = staged[moment - 1].time
            {
                // What an entry caused comes after it.
                page.start = time.nanosecondsSince1970 - span / 5
            } else {
                page.start = newest(lives.last?.end) - span
            }
            page.end = page.start + span
            lives.removeAll { $0.start > page.end || ($0.end ?? .max) < page.start }
        }
        page.sources = Self.sources(of: lives)
        lives.removeAll { !query.includes($0.effect) }
        let shown = lives.suffix(min(max(query.limit, 1), EffectQuery.mostEffects))
        page.effects = shown.map { life in
            EffectLife(
                life.effect, life.ended,
                entry: life.effect.startedBy.flatMap { staged.id(of: $0) })
        }
        page.omitted = lives.count - shown.count
        page.earlier = page.omitted > 0 ? shown.first?.effect.number : nil
        if span == nil {
            let firstEntry = staged.first?.time?.nanosecondsSince1970
            page.start = shown.map(\.start).min() ?? firstEntry ?? 0
            let end = shown.compactMap(\.end).max()
            let isOver = query.before != nil && shown.allSatisfy { $0.end != nil }
            page.end = max(isOver ? end ?? 0 : newest(end), page.start)
        }
        // From the newest back, as there may be many.
        for place in staged.indices.reversed() {
            guard let time = staged[place].time?.nanosecondsSince1970, time >= page.start,
                page.entries.count < EffectQuery.mostEntries
            else { break }
            if time <= page.end {
                page.entries.append(EffectPage.Mark(entry: staged[place].id, time: time))
            }
        }
        page.entries.reverse()
        return page
    }

    /// The places with the most effects first.
    private static func sources(of lives: [Life]) -> [EffectPage.Source] {
        let counts = Dictionary(lives.map { ("\($0.effect.origin)", 1) }, uniquingKeysWith: +)
        let sources = counts.map { EffectPage.Source(origin: $0.key, count: $0.value) }
        return Array(
            sources.sorted { ($1.count, $0.origin) < ($0.count, $1.origin) }
                .prefix(EffectPage.mostSources))
    }

    /// The end of the axis: now if an effect is alive, otherwise when the last thing happened.
    private func newest(_ end: Int64?) -> Int64 {
        let last = log.staged.last?.time?.nanosecondsSince1970 ?? 0
        let happened = max(last, end ?? 0)
        return effects.living.isEmpty
            ? happened : max(happened, effects.now.nanosecondsSince1970)
    }
}

/// An effect on the time axis.
private struct Life {
    let effect: RunningEffect
    let ended: EndedEffect?
    let start: Int64
    let end: Int64?
}

extension EffectQuery {
    fileprivate func includes(_ effect: RunningEffect) -> Bool {
        if let before, effect.number >= before { return false }
        let place = "\(effect.origin)"
        return (origin.isEmpty || origin == place) && !hiddenOrigins.contains(place)
    }
}

extension EffectPage {
    /// The maximum number of places.
    package static var mostSources: Int { 50 }
}

extension EffectLife {
    fileprivate init(_ effect: RunningEffect, _ ended: EndedEffect?, entry: Int?) {
        description = "\(effect)"
        name = effect.id ?? "\(effect.origin)"
        origin = "\(effect.origin)"
        self.entry = entry
        start = effect.since.nanosecondsSince1970
        end = ended?.end.nanosecondsSince1970
        switch ended?.outcome {
        case nil: phase = "\(effect.phase)"
        case .finished: phase = "finished"
        case .endedByState: phase = "ended by state"
        case .cancelled: phase = "cancelled"
        case .failed(let error):
            phase = "failed"
            self.error = String("\(error)".prefix(400))
        }
        isKeptByState = effect.kind == .state
    }
}

extension HistoryEntries {
    /// The id of the entry with a version; nil if there is none, or if entries were moved.
    ///
    /// - Complexity: O(log entries).
    func id(of version: CommitVersion) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            // An entry without a version was withheld while the past was shown, and is at the end.
            guard let found = self[middle].version else {
                high = middle
                continue
            }
            if found == version { return self[middle].id }
            if found < version { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
