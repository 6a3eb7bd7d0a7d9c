// SPDX-License-Identifier: MIT
#if Inspector

internal import Onward
internal import OnwardInspection
public import OnwardJournal
internal import OnwardNavigation

/// Where a tab of the inspector is: what its URL says, `/shop/entries/4711/diff?path=cart`.
///
/// A place can be sent to a colleague: it has the store, the entry, what is looked at, and the filters of the list.
public struct Place: Sendable, Hashable {
    /// What is shown beside the list.
    public enum Pane: String, Sendable, Hashable, CaseIterable {
        /// What the action carries.
        case action
        /// The state after it.
        case state
        /// How that differs from the state before it.
        case diff
        /// Where the action was dispatched.
        case trace
        /// The source of a test that leads there.
        case test
        /// What lives in the store: its effects and subscriptions.
        case activity
        /// The life-lines of its effects.
        case effects
        /// Where the user was, entry by entry.
        case routes
        /// What its reducers, subscribers and selectors cost.
        case costs
        /// A form for actions.
        case dispatch
        /// Files in and out.
        case file
    }

    /// How the state is shown.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// As lines, with links to parts.
        case tree
        /// As tables, where lists and objects have objects in them.
        case table
        /// As a drawing of a tree.
        case chart
        /// As JSON.
        case raw
    }

    /// What is asked before entries are lost for good.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// Whether actions run without being recorded from here on.
        case pause
        /// Whether the moment that is shown becomes the base.
        case commit
        /// Whether to go back to the base.
        case revert
        /// Whether to go back to where the store began.
        case reset
        /// Whether to drop the skipped entries.
        case sweep
    }

    /// How much of the time axis is shown.
    public enum Span: String, Sendable, Hashable, CaseIterable {
        /// As much as the newest effects take.
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
    /// The entry; nil for the last one that is shown.
    public var entry: Int?
    /// What is shown beside the list.
    public var pane = Pane.action
    /// The part of the state that is looked at.
    public var path = DataPath()
    /// How it is shown.
    public var form = Form.tree
    /// What it is searched for.
    public var sought = ""
    /// The first element or field of it.
    public var first = 0
    /// The parts of the state that are always shown.
    public var pins: [DataPath] = []
    /// The name of the action whose form is shown; empty for JSON.
    public var action = ""
    /// Whether the test is the shortest one that leads to what is looked at.
    public var isShortest = false
    /// How much of the time axis is shown.
    public var span = Span.fit
    /// The place in the source whose effects are shown; empty for all.
    public var origin = ""
    /// The places in the source whose effects are left out.
    public var hiddenOrigins: [String] = []
    /// Where the list of routes, or of effects, ends; nil for the newest.
    public var until: Int?
    /// The entry that is compared with; nil for the one before.
    public var base: Int?
    /// What the list is searched for.
    public var text = ""
    /// The name of the actions in the list; empty for all.
    public var type = ""
    /// The names of the actions that the list leaves out.
    public var hiddenTypes: [String] = []
    /// Whether the list leaves out what changed nothing.
    public var hidesUnchanged = false
    /// What the entries of the list changed; nil for anything.
    public var touched: DataPath?
    /// The moment before which the list ends; nil for the newest.
    public var end: Int?
    /// What is asked; nil for nothing.
    public var question: Question?

    /// The first store.
    public init() {}

    /// The place with some of it changed.
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

    /// The place that a location means; nil for what is none.
    private static func read(_ location: RouteLocation) -> Place? {
        let segments = location.segments
        var place = Place()
        place.store = segments.first
        switch segments.count {
        case 0, 1: break
        case 2:
            guard let pane = Pane(rawValue: segments[1]) else { return nil }
            place.pane = pane
        case 3, 4:
            guard segments[1] == "entries", let id = Int(segments[2]), id >= 0 else {
                return nil
            }
            place.entry = id
            if segments.count == 4 {
                guard let pane = Pane(rawValue: segments[3]) else { return nil }
                place.pane = pane
            }
        default: return nil
        }
        place.read(location.query)
        return place
    }

    /// Where it is below the path of the inspector.
    private var location: RouteLocation {
        guard let store else { return RouteLocation() }
        var segments = [store]
        if let entry { segments += ["entries", "\(entry)"] }
        if pane != .action { segments.append(pane.rawValue) }
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
    }

    /// The first of some texts, each once, without empty ones.
    private static func different(_ texts: [String], atMost limit: Int) -> [String] {
        var found: [String] = []
        for text in texts.prefix(limit) where !text.isEmpty && !found.contains(text) {
            found.append(text)
        }
        return found
    }

    /// What stands behind the path of the URL.
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
        return query
    }

    /// The most parts of the state that are always shown.
    static let mostPins = 12
    /// The most types, and the most places in the source, that are left out.
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

    /// The routes that are shown.
    var routeQuery: EntryQuery {
        var query = EntryQuery()
        query.start = until.map { .before($0) } ?? .end
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
    /// What is looked at besides the log, by one tab.
    static let ofActivity: [Place.Pane] = [.activity, .effects, .routes, .costs]

    /// Whether it is about one entry.
    var isOfEntry: Bool {
        switch self {
        case .action, .state, .diff, .trace, .test: true
        case .activity, .effects, .routes, .costs, .dispatch, .file: false
        }
    }

    /// Whether it shows something that may change while the log stays as it is.
    var watchesActivity: Bool { self == .activity || self == .effects || self == .costs }
}

extension Place.Span {
    /// How long it is; nil for as long as it takes.
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
