// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Which part of the time axis is wanted.
public struct EffectQuery: Sendable, Hashable {
    /// The most effects of a page, and the most entries beside them.
    public static let (mostEffects, mostEntries) = (200, 500)

    /// The nanoseconds that are shown; nil for as many as the newest effects take.
    public var span: Int64?
    /// The entry around which they lie; nil for the newest ones.
    ///
    /// Of no account without a ``span``.
    public var entry: Int?
    /// The place in the source whose effects are wanted; empty for all.
    public var origin = ""
    /// The places in the source whose effects are left out.
    public var hiddenOrigins: Set<String> = []
    /// What the page ends before: ``EffectPage/earlier`` of another one; nil for the newest effects.
    public var before: UInt64?
    /// The most effects, at most ``mostEffects``; older ones are left out.
    public var limit = 60

    /// The newest effects.
    public init() {}
}

/// A part of the time axis, with the effects that lived then.
///
/// All times are nanoseconds since 1970.
public struct EffectPage: Sendable, Hashable, Codable {
    /// An entry on the time axis.
    public struct Mark: Sendable, Hashable, Codable {
        /// Its id.
        public var entry: Int
        /// When it was committed.
        public var time: Int64
    }

    /// A place in the source, and how many effects of it lived.
    public struct Source: Sendable, Hashable, Codable {
        /// Where they are written, `Shop/Cart.swift:12`.
        public var origin: String
        /// How many they are.
        public var count: Int
    }

    /// Where the axis begins.
    public var start: Int64 = 0
    /// Where it ends; effects that go on live beyond.
    public var end: Int64 = 0
    /// The effects, the oldest one first.
    public var effects: [EffectLife] = []
    /// How many earlier effects lived then, that are on no page yet.
    public var omitted = 0
    /// Where the page with those begins; nil where there are none.
    public var earlier: UInt64?
    /// The places of all effects that lived then, whichever are wanted: those with the most effects first.
    public var sources: [Source] = []
    /// The entries, the oldest one first; the newest of them where there are too many.
    public var entries: [Mark] = []

    /// No time.
    public init() {}

    /// Reads what an inspector says; an earlier one says less.
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
    /// Its name, its place in the source, and what started it.
    public var description: String
    /// The name that the feature gave it, otherwise its place.
    public var name: String
    /// Where it is written, `Shop/Cart.swift:12`.
    public var origin: String
    /// The id of the entry that started it; nil where none did, or the log no longer has it.
    public var entry: Int?
    /// When it was handed to the store.
    public var start: Int64
    /// When it ended; nil while it lives.
    public var end: Int64?
    /// `finished`, `failed`, `cancelled`, or `ended by state`: what kept it has changed or gone, or the past is shown; of one that lives `running`, `waiting`, `queued`, or `cancelled`.
    public var phase: String
    /// The error with which it failed.
    public var error: String?
    /// Whether a piece of the state keeps it alive, as `While` does.
    public var isKeptByState: Bool
}

/// The effects of a store that live, and those that ended last.
struct RecordedEffects: Sendable {
    var living: [RunningEffect] = []
    var ended: [EndedEffect] = []
    var now = Timestamp(nanosecondsSince1970: 0)

    init() {}

    init<State: Sendable>(of store: Store<State>) {
        // Those that end meanwhile are among both, rather than among neither.
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
    /// The life-lines of effects.
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
                // What came of an entry lies behind it.
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

    /// The end of the axis: now where something lives, otherwise when the last thing happened.
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
    /// The most places.
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
    /// The id of the entry with a version; nil where there is none, or where entries were moved.
    ///
    /// - Complexity: O(log entries).
    func id(of version: Version) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            // What has no version was withheld while the past was shown, at the end.
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
