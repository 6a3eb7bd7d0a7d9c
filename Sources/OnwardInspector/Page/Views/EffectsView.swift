// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// The lifelines of effects on the time axis, with the entries above them.
struct EffectsView: Equatable, Sendable {
    /// A piece of the axis, in thousandths of it.
    struct Piece: Equatable, Sendable {
        let x: Int
        let width: Int
        let isChosen: Bool
    }
    struct Life: Equatable, Sendable {
        let name: String
        let description: String
        let entry: EntryLink?
        let start: String
        let took: String?
        let phase: String
        /// The color of the piece.
        let kind: String
        let error: String?
        let isChosen: Bool
        let piece: Piece
    }

    /// A place in the source, to be shown alone, left out, or shown again.
    struct Source: Equatable, Sendable {
        let name: String
        let count: Int
        let origin: String
        /// Shows only this place, or all of them again.
        let only: String
        let isOnly: Bool
        /// Leaves the place out, or shows it again.
        let toggle: String
        let isHidden: Bool
    }

    let head: PaneHead
    let forms: [Choice]
    let sources: [Source]
    let hasSources: Bool
    let spans: [Choice]
    let start: String
    let span: String
    let end: String
    let marks: [Piece]
    let entryCount: Int
    let lives: [Life]
    let hasLives: Bool
    let isFiltered: Bool
    /// Where earlier effects are, and how many there are.
    let earlier: String?
    let omitted: Int
    let newest: String?

    init(_ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog) {
        let page = log.effects(view.place.effectQuery)
        self.head = head
        forms = Choice.ofActivity(view)
        spans = Place.Span.allCases.map { span in
            Choice(
                name: span.noun, url: view.place.with { $0.span = span }.url,
                current: span == view.place.span ? "true" : nil)
        }
        let axis = Axis(page)
        start = Words.time(page.start)
        span = Words.span(page.end - page.start)
        end = Words.time(page.end)
        marks = page.entries.map { mark in
            Piece(
                x: axis.place(of: mark.time), width: 2, isChosen: mark.entry == view.selected)
        }
        entryCount = page.entries.count
        sources = Self.sources(page.sources, view.place)
        hasSources = sources.count > 1 || sources.contains { $0.isHidden || $0.isOnly }
        lives = page.effects.reversed().map { life in
            let x = axis.place(of: life.start)
            let end = life.end.map { axis.place(of: $0) } ?? Axis.length
            let isChosen = life.entry != nil && life.entry == view.selected
            return Life(
                name: life.name, description: life.description,
                entry: life.entry.map { EntryLink($0, view, in: .effects) },
                start: life.start < page.start ? "before" : Words.delta(life.start - page.start),
                took: life.end.map { Words.span($0 - life.start) },
                phase: life.isKeptByState && life.end == nil ? "\(life.phase), kept" : life.phase,
                kind: life.end == nil
                    ? "alive" : life.phase == "ended by state" ? "ended" : life.phase,
                error: life.error, isChosen: isChosen,
                // Short ones are visible too.
                piece: Piece(
                    x: min(x, Axis.length - 3), width: max(end - x, 3), isChosen: isChosen))
        }
        hasLives = !lives.isEmpty
        isFiltered = !page.sources.isEmpty
        omitted = page.omitted
        earlier = page.earlier.flatMap { Int(exactly: $0) }.map { number in
            view.place.with { $0.until = number }.url
        }
        newest = view.place.until.map { _ in view.place.with { $0.until = nil }.url }
    }

    private static func sources(_ known: [EffectPage.Source], _ place: Place) -> [Source] {
        // Filters can be removed even if they match no effects.
        let filtered = place.hiddenOrigins + (place.origin.isEmpty ? [] : [place.origin])
        let absent = filtered.filter { origin in !known.contains { $0.origin == origin } }
        let all = known.map { ($0.origin, $0.count) } + absent.map { ($0, 0) }
        return all.map { origin, count in
            let isOnly = place.origin == origin
            let isHidden = place.hiddenOrigins.contains(origin)
            return Source(
                name: origin.split(separator: "/").last.map { String($0) } ?? origin,
                count: count, origin: origin,
                only: place.with { place in
                    (place.origin, place.until) = (isOnly ? "" : origin, nil)
                    place.hiddenOrigins.removeAll { $0 == origin }
                }.url, isOnly: isOnly,
                toggle: place.with { place in
                    place.until = nil
                    if isOnly { place.origin = "" }
                    if isHidden {
                        place.hiddenOrigins.removeAll { $0 == origin }
                    } else {
                        place.hiddenOrigins.append(origin)
                    }
                }.url, isHidden: isHidden)
        }
    }

    /// The mapping of times to the axis.
    private struct Axis {
        static let length = 1_000

        private let start: Int64
        private let span: Double

        init(_ page: EffectPage) {
            start = page.start
            span = Double(max(page.end - page.start, 1))
        }

        /// Clamped to the axis, whatever the time is.
        func place(of time: Int64) -> Int {
            let share = (Double(time) - Double(start)) / span
            return Int(min(max(share, 0), 1) * Double(Self.length))
        }
    }
}

extension EntryLink {
    fileprivate init(_ id: Int, _ view: InspectorView, in pane: Place.Pane) {
        self.id = id
        url = view.place.with { ($0.entry, $0.pane, $0.first) = (id, pane, 0) }.url
    }
}

extension Place.Span {
    fileprivate var noun: String {
        switch self {
        case .fit: "Fit"
        case .tenth: "0.1 s"
        case .second: "1 s"
        case .tenSeconds: "10 s"
        case .minute: "1 min"
        case .tenMinutes: "10 min"
        }
    }
}
#endif
