// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// The tab of a pane.
struct PaneTab: Equatable, Sendable {
    let name: String
    let url: String
    let key: String
    let current: String?

    /// Creates the tab of a pane; that of the activity has several panes.
    init(_ pane: Place.Pane, _ name: String, key: String, _ place: Place) {
        let isActivity = pane == .activity && Place.Pane.ofActivity.contains(place.pane)
        self.name = name
        self.key = key
        url = place.with { ($0.pane, $0.until) = (pane, nil) }.url
        current = pane == place.pane || isActivity ? "page" : nil
    }
}

/// The head of every pane: the entry, and the views of it.
struct PaneHead: Equatable, Sendable {
    let store: String
    let id: Int
    let title: String
    let time: String?
    let isEntry: Bool
    /// Whether the pane is about the whole app.
    let isOfApp: Bool
    let isSkipped: Bool
    let isShown: Bool
    /// Whether the newest entry is followed, and none is selected.
    let isFollowing: Bool
    let follow: String?
    /// Leaves the type of the entry out of the list; nil if it is left out already.
    let hide: String?
    let before: String?
    let after: String?
    /// The entry that runs right before this one, and the one right after it; nil if there is none.
    let above: Int?
    let below: Int?
    let tabs: [PaneTab]
    let hasPins: Bool
    let pins: [PinView]

    init(
        _ view: InspectorView, _ seen: InspectorState.Seen, _ page: EntryPage,
        showsPins: Bool = true
    ) {
        let place = view.place
        let line = seen.log.entry(view.selected)?.line
        store = seen.name
        id = view.selected
        title = line?.name.visible ?? (view.selected == 0 ? "Before the first entry" : "Entry gone")
        time = line.map { Words.time($0.time) }
        isEntry = line != nil
        isOfApp = !place.pane.isOfEntry
        isSkipped = line?.isSkipped ?? false
        isShown = seen.summary.shownID == view.selected
        isFollowing = view.place.entry == nil
        follow = isFollowing ? nil : place.with { $0.entry = nil }.url
        let canHide = place.hiddenTypes.count < Place.mostHidden
        hide = line.flatMap { line in
            guard canHide, !place.hiddenTypes.contains(line.name) else { return nil }
            return place.with { place in
                place.hiddenTypes.append(line.name)
                if place.type == line.name { place.type = "" }
            }.url
        }
        let moment = seen.log.moment(after: view.selected)
        func neighbour(_ moment: Int?) -> Int? {
            moment.flatMap { seen.log.id(before: $0) }.flatMap { $0 == 0 ? nil : $0 }
        }
        func url(_ id: Int?) -> String? {
            guard let id else { return nil }
            return place.with { place in
                (place.entry, place.first) = (id, 0)
            }.url
        }
        above = neighbour(moment.map { $0 - 1 })
        below = neighbour(moment.map { $0 + 1 })
        if let moment, !place.entryQuery.isUnfiltered {
            let near = page.neighbours(of: moment, in: seen.log, by: place.entryQuery)
            (before, after) = (url(near.before), url(near.after))
        } else {
            (before, after) = (url(above), url(below))
        }
        tabs = [
            PaneTab(.action, "Action", key: "a", place), PaneTab(.state, "State", key: "s", place),
            PaneTab(.diff, "Diff", key: "d", place), PaneTab(.trace, "Trace", key: "t", place),
            PaneTab(.test, "Test", key: "e", place),
        ]
        pins = showsPins ? moment.map { PinView.all(in: view, seen.log, at: $0) } ?? [] : []
        hasPins = !pins.isEmpty
    }
}

extension EntryPage {
    /// The entries of a filtered list just before and after a moment, which may not be in the list.
    ///
    /// Usually they are on the page; the log is queried if the page ends before them.
    ///
    /// - Parameters:
    ///   - moment: The moment after the entry.
    ///   - log: The log.
    ///   - query: The query that the page answers.
    /// - Returns: Their ids.
    func neighbours(
        of moment: Int, in log: any InspectedLog, by query: EntryQuery
    ) -> (before: Int?, after: Int?) {
        func ask(_ start: EntryQuery.Start) -> EntryPage {
            var query = query
            (query.start, query.limit) = (start, 1)
            return log.entries(query)
        }
        // What the page has examined lies between these two.
        let (first, last) = (earlier ?? 0, later ?? Int.max)
        var before = moment > last ? nil : entries.last { $0.moment < moment }
        if before == nil, moment > last || earlier != nil {
            before = ask(.before(moment > last ? moment - 1 : min(moment - 1, first))).entries.last
        }
        var after = moment < first ? nil : entries.first { $0.moment > moment }
        if after == nil, moment < first || later != nil {
            after = ask(.after(moment < first ? moment : max(moment, last))).entries.first
        }
        return (before?.id, after?.id)
    }
}

/// A part of the state that is always shown, with its previous value.
struct PinView: Equatable, Sendable {
    let path: String
    let value: String
    let old: String?
    let url: String
    let unpin: String

    static func all(
        in view: InspectorView, _ log: any InspectedLog, at moment: Int
    ) -> [PinView] {
        view.place.pins.map { path in
            let new = Self.value(of: path, log, at: moment)
            let old = moment > 0 ? Self.value(of: path, log, at: moment - 1) : new
            return PinView(
                path: "\(path)".visible, value: new ?? "nothing",
                old: old == new ? nil : old ?? "nothing",
                url: view.place.with { ($0.pane, $0.path, $0.first) = (.state, path, 0) }.url,
                unpin: view.place.with { $0.pins.removeAll { $0 == path } }.url)
        }
    }

    /// The beginning of a part of the state; nil if there is none.
    private static func value(
        of path: DataPath, _ log: any InspectedLog, at moment: Int
    ) -> String? {
        guard let text = log.state(at: moment, path, from: 0, limit: 100)?.text else { return nil }
        return text.count > 120 ? text.prefix(119) + "…" : text
    }
}
#endif
