// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
public import OnwardJournal
internal import OnwardNavigation

/// The location of an inspector tab, as in its URL: `/shop/entries/4711/diff?path=cart`.
///
/// A place can be sent to a colleague: it includes the store, the entry, what is looked at, and the
/// filters of the list.
public struct Place: Sendable, Hashable {
    /// The pane beside the list.
    public enum Pane: String, Sendable, Hashable, CaseIterable {
        /// The payload of the action.
        case action
        /// The state after the entry.
        case state
        /// The difference from the state before the entry.
        case diff
        /// Where the action was dispatched.
        case trace
        /// The source of a test that leads there.
        case test
        /// The store's current effects and subscriptions.
        case activity
        /// The lifelines of the store's effects.
        case effects
        /// A page that is asked a question, by its name.
        case page = "pages"
        /// A form for actions.
        case dispatch
        /// Importing and exporting files.
        case file
    }

    /// How the state is shown.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// As lines, with links to parts.
        case tree
        /// As tables, if lists and objects contain objects.
        case table
        /// As a tree diagram.
        case chart
        /// As JSON.
        case raw
    }

    /// A confirmation before entries are lost for good.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// Whether to run actions without recording them from now on.
        case pause
        /// Whether to make the moment that is shown the base.
        case commit
        /// Whether to return to the base.
        case revert
        /// Whether to return to the state in which the store began.
        case reset
        /// Whether to remove the skipped entries.
        case sweep
    }

    /// The length of the time axis.
    public enum Span: String, Sendable, Hashable, CaseIterable {
        /// As long as the newest effects take.
        case fit
        /// A tenth of a second.
        case tenth
        /// A second.
        case second
        /// Ten seconds.
        case tenSeconds = "10-seconds"
        /// A minute.
        case minute
        /// Ten minutes.
        case tenMinutes = "10-minutes"
    }

    /// The path below which the inspector is shown; empty at the root of a server.
    var root = ""
    /// The name of the store; nil for the first one.
    public var store: String?
    /// The id of the entry; nil for the last one that is shown.
    public var entry: Int?
    /// The pane beside the list.
    public var pane = Pane.action
    /// The part of the state that is shown.
    public var path = DataPath()
    /// How that part is shown.
    public var form = Form.tree
    /// The text to search that part for.
    public var sought = ""
    /// The index of the part's first element or field that is shown.
    public var first = 0
    /// The parts of the state that are always shown.
    public var pins: [DataPath] = []
    /// The name of the action whose form is shown; empty for JSON.
    public var action = ""
    /// Whether to show the shortest test that leads to the value.
    public var isShortest = false
    /// The length of the time axis.
    public var span = Span.fit
    /// The place in the source whose effects are shown; empty for all.
    public var origin = ""
    /// The places in the source whose effects are left out.
    public var hiddenOrigins: [String] = []
    /// The name of the page that is shown in that pane.
    public var page = ""
    /// What the page is asked: the text of each field that isn't as usual, by its name.
    public var asked: [String: String] = [:]
    /// Where the list of effects ends; nil for the newest.
    public var until: Int?
    /// The entry to compare with; nil for the previous one.
    public var base: Int?
    /// The text to search the list for.
    public var text = ""
    /// The name of the actions in the list; empty for all.
    public var type = ""
    /// The names of the actions that the list leaves out.
    public var hiddenTypes: [String] = []
    /// Whether the list leaves out entries that changed nothing.
    public var hidesUnchanged = false
    /// A part of the state that the listed entries changed; nil for any.
    public var touched: DataPath?
    /// The moment before which the list ends; nil for the newest.
    public var end: Int?
    /// The confirmation that is shown; nil for none.
    public var question: Question?

    /// Creates the place of the first store.
    public init() {}

    /// Returns the place with a change.
    func with(_ change: (inout Place) -> Void) -> Place {
        var place = self
        change(&place)
        return place
    }
}

extension Place {
    /// The URLs of places at the root of a server.
    static let codec = codec(at: "")

    /// The URLs of places below a path.
    static func codec(at root: String) -> RouteCodec<Place> {
        let front = RouteLocation(root)?.segments ?? []
        return RouteCodec(
            notFound: { _ in Place().with { $0.root = root } },
            read: { location in
                guard location.segments.starts(with: front) else { return nil }
                var rest = location
                rest.segments.removeFirst(front.count)
                return read(rest)?.with { $0.root = root }
            },
            write: { place in
                var location = place.location
                location.segments = front + location.segments
                return location
            })
    }

    /// The place for a location; nil if it isn't one.
    private static func read(_ location: RouteLocation) -> Place? {
        let segments = location.segments
        var place = Place()
        place.store = segments.first
        switch segments.count {
        case 0, 1: break
        case 2:
            guard let pane = Pane(rawValue: segments[1]), pane != .page else { return nil }
            place.pane = pane
        case 3 where segments[1] == Pane.page.rawValue: place.show(page: segments[2])
        case 3, 4, 5:
            guard segments[1] == "entries", let id = Int(segments[2]), id >= 0 else {
                return nil
            }
            place.entry = id
            if segments.count == 4 {
                guard let pane = Pane(rawValue: segments[3]), pane != .page else { return nil }
                place.pane = pane
            } else if segments.count == 5 {
                guard segments[3] == Pane.page.rawValue else { return nil }
                place.show(page: segments[4])
            }
        default: return nil
        }
        place.read(location.query)
        return place
    }

    /// The location below the path of the inspector.
    private var location: RouteLocation {
        guard let store else { return RouteLocation() }
        var segments = [store]
        if let entry { segments += ["entries", "\(entry)"] }
        if pane != .action { segments.append(pane.rawValue) }
        if pane == .page { segments.append(page) }
        return RouteLocation(segments, query: query)
    }

    private mutating func read(_ query: RouteValues) {
        path = DataPath(query["path"] ?? "")
        form = query["as"].flatMap(Form.init) ?? .tree
        sought = query["find"] ?? ""
        first = query["first", as: Int.self].map { max($0, 0) } ?? 0
        pins = Self.different(query.all("pin"), atMost: Self.mostPins).map { DataPath($0) }
        origin = query["origin"] ?? ""
        hiddenOrigins = Self.different(query.all("without"), atMost: Self.mostHidden)
        hiddenTypes = Self.different(query.all("hide"), atMost: Self.mostHidden)
        question = query["ask"].flatMap(Question.init)
        action = query["action"] ?? ""
        isShortest = query["shortest"] == "1"
        span = query["span"].flatMap(Span.init) ?? .fit
        until = query["until", as: Int.self]
        base = query["base", as: Int.self]
        text = query["text"] ?? ""
        type = query["type"] ?? ""
        hidesUnchanged = query["changed"] == "1"
        touched = query["touched"].flatMap { $0.isEmpty ? nil : DataPath($0) }
        end = query["end", as: Int.self]
        if pane == .page { asked = PageQuestion(in: query).texts }
    }

    /// Shows a page, with its usual question.
    mutating func show(page name: String) {
        (pane, page, asked, until) = (.page, name, [:], nil)
    }

    /// The first of some texts, without repetitions and empty ones.
    private static func different(_ texts: [String], atMost limit: Int) -> [String] {
        var found: [String] = []
        for text in texts.prefix(limit) where !text.isEmpty && !found.contains(text) {
            found.append(text)
        }
        return found
    }

    /// The query of the URL.
    var query: RouteValues {
        var query: RouteValues = [
            "path": path.isEmpty ? nil : path, "as": form == .tree ? nil : form.rawValue,
            "find": sought.isEmpty ? nil : sought, "first": first == 0 ? nil : first, "base": base,
            "shortest": isShortest ? "1" : nil, "span": span == .fit ? nil : span.rawValue,
            "until": until,
            "action": action.isEmpty ? nil : action, "text": text.isEmpty ? nil : text,
            "type": type.isEmpty ? nil : type, "changed": hidesUnchanged ? "1" : nil,
            "touched": touched, "end": end, "origin": origin.isEmpty ? nil : origin,
            "ask": question?.rawValue,
        ]
        for pin in pins { query.append(pin, as: "pin") }
        for type in hiddenTypes { query.append(type, as: "hide") }
        for origin in hiddenOrigins { query.append(origin, as: "without") }
        if pane == .page { PageQuestion(texts: asked).write(to: &query) }
        return query
    }

    /// The maximum number of parts of the state that are always shown.
    static let mostPins = 12
    /// The maximum number of types, and of places in the source, that are left out.
    static let mostHidden = 20

    /// The URL.
    var url: String { store == nil && !root.isEmpty ? root : root + location.description }

    /// The effects that are shown.
    var effectQuery: EffectQuery {
        var query = EffectQuery()
        query.span = span.nanoseconds
        query.entry = span == .fit ? nil : entry
        query.origin = origin
        query.hiddenOrigins = Set(hiddenOrigins)
        query.before = until.flatMap { UInt64(exactly: $0) }
        return query
    }

    /// What the list shows.
    var entryQuery: EntryQuery {
        var query = EntryQuery()
        query.text = text
        query.types = type.isEmpty ? [] : [type]
        query.hiddenTypes = Set(hiddenTypes)
        query.hidesUnchanged = hidesUnchanged
        query.path = touched
        query.start = end.map { .before($0) } ?? .end
        return query
    }
}

extension Place.Pane {
    /// The panes besides the log, which share one tab.
    static let ofActivity: [Place.Pane] = [.activity, .effects, .page]

    /// Whether it is about one entry.
    var isOfEntry: Bool {
        switch self {
        case .action, .state, .diff, .trace, .test: true
        case .activity, .effects, .page, .dispatch, .file: false
        }
    }

}

extension Place {
    /// Whether it shows something that may change while the log stays the same.
    ///
    /// - Parameter pages: The pages of the store.
    /// - Returns: Whether it has to be drawn again then.
    func watchesActivity(with pages: [InspectorPage]) -> Bool {
        switch pane {
        case .activity, .effects: true
        case .page: pages[page]?.isLive ?? false
        default: false
        }
    }
}

extension Place.Span {
    /// The length in nanoseconds; nil for as long as it takes.
    var nanoseconds: Int64? {
        switch self {
        case .fit: nil
        case .tenth: 100_000_000
        case .second: 1_000_000_000
        case .tenSeconds: 10_000_000_000
        case .minute: 60_000_000_000
        case .tenMinutes: 600_000_000_000
        }
    }
}
#endif
