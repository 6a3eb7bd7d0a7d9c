// SPDX-License-Identifier: MIT
#if Inspector

internal import Onward
public import OnwardJournal

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
        /// A form for actions.
        case dispatch
        /// Files in and out.
        case file
    }

    /// The name of the store; nil for the first one.
    public var store: String?
    /// The entry; nil for the last one that is shown.
    public var entry: Int?
    /// What is shown beside the list.
    public var pane = Pane.action
    /// The part of the state that is looked at.
    public var path = DataPath()
    /// The first element or field of it.
    public var first = 0
    /// The entry that is compared with; nil for the one before.
    public var base: Int?
    /// What the list is searched for.
    public var text = ""
    /// The name of the actions in the list; empty for all.
    public var type = ""
    /// Whether the list leaves out what changed nothing.
    public var hidesUnchanged = false
    /// What the entries of the list changed; nil for anything.
    public var touched: DataPath?
    /// The moment before which the list ends; nil for the newest.
    public var end: Int?

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
    /// The URLs of places.
    static let codec = RouteCodec<Place>(
        notFound: { _ in Place() },
        read: { location in
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
        },
        write: { place in
            guard let store = place.store else { return RouteLocation() }
            var segments = [store]
            if let entry = place.entry { segments += ["entries", "\(entry)"] }
            if place.pane != .action { segments.append(place.pane.rawValue) }
            return RouteLocation(segments, query: place.query)
        })

    private mutating func read(_ query: RouteValues) {
        path = DataPath(query["path"] ?? "")
        first = query["first", as: Int.self].map { max($0, 0) } ?? 0
        base = query["base", as: Int.self]
        text = query["text"] ?? ""
        type = query["type"] ?? ""
        hidesUnchanged = query["changed"] == "1"
        touched = query["touched"].flatMap { $0.isEmpty ? nil : DataPath($0) }
        end = query["end", as: Int.self]
    }

    private var query: RouteValues {
        [
            "path": path.isEmpty ? nil : path, "first": first == 0 ? nil : first, "base": base,
            "text": text.isEmpty ? nil : text, "type": type.isEmpty ? nil : type,
            "changed": hidesUnchanged ? "1" : nil, "touched": touched, "end": end,
        ]
    }

    /// The URL.
    var url: String { Self.codec.text(of: self) ?? "/" }

    /// What the list shows.
    var entryQuery: EntryQuery {
        var query = EntryQuery()
        query.text = text
        query.types = type.isEmpty ? [] : [type]
        query.hidesUnchanged = hidesUnchanged
        query.path = touched
        query.start = end.map { .before($0) } ?? .end
        return query
    }
}
#endif
