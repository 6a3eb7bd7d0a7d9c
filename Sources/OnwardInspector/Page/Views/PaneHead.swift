// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardInspection
internal import OnwardJournal

/// What stands over every pane: the entry, and the panes to choose from.
struct PaneHead: Equatable, Sendable {
    struct Tab: Equatable, Sendable {
        let name: String
        let url: String
        let key: String
        let current: String?
    }

    let store: String
    let id: Int
    let title: String
    let time: String?
    let isEntry: Bool
    let isSkipped: Bool
    let isShown: Bool
    /// Whether what is shown is followed, and no entry is chosen.
    let isFollowing: Bool
    let follow: String?
    let before: String?
    let after: String?
    /// The entry that runs right before this one, and the one right after it; nil where there is none.
    let above: Int?
    let below: Int?
    let tabs: [Tab]
    let hasPins: Bool
    let pins: [PinView]

    init(_ view: InspectorView, _ seen: InspectorState.Seen) {
        let line = seen.log.entry(view.selected)?.line
        store = seen.name
        id = view.selected
        title = line?.name ?? (view.selected == 0 ? "Before the first entry" : "Entry gone")
        time = line.map { Words.time($0.time) }
        isEntry = line != nil
        isSkipped = line?.isSkipped ?? false
        isShown = seen.summary.shownID == view.selected
        isFollowing = view.place.entry == nil
        follow = isFollowing ? nil : view.place.with { $0.entry = nil }.url
        let moment = seen.log.moment(after: view.selected)
        func neighbour(_ moment: Int?) -> Int? {
            moment.flatMap { seen.log.id(before: $0) }.flatMap { $0 == 0 ? nil : $0 }
        }
        func url(_ id: Int?) -> String? {
            guard let id else { return nil }
            return view.place.with { place in
                (place.entry, place.first) = (id, 0)
            }.url
        }
        above = neighbour(moment.map { $0 - 1 })
        below = neighbour(moment.map { $0 + 1 })
        before = url(above)
        after = url(below)
        let panes: [(Place.Pane, String, String)] = [
            (.action, "Action", "a"), (.state, "State", "s"), (.diff, "Diff", "d"),
            (.trace, "Trace", "t"), (.test, "Test", "e"), (.activity, "Activity", "v"),
            (.dispatch, "Dispatch", "x"), (.file, "Files", "f"),
        ]
        let isActivity = Place.Pane.ofActivity.contains(view.place.pane)
        tabs = panes.map { pane, name, key in
            Tab(
                name: name, url: view.place.with { $0.pane = pane }.url, key: key,
                current: pane == view.place.pane || isActivity && pane == .activity ? "page" : nil)
        }
        pins = moment.map { PinView.all(in: view, seen.log, at: $0) } ?? []
        hasPins = !pins.isEmpty
    }
}

/// A part of the state that is always shown, with what it was before.
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
                path: "\(path)", value: new ?? "nothing",
                old: old == new ? nil : old ?? "nothing",
                url: view.place.with { ($0.pane, $0.path, $0.first) = (.state, path, 0) }.url,
                unpin: view.place.with { $0.pins.removeAll { $0 == path } }.url)
        }
    }

    /// The beginning of a part of the state; nil where there is none.
    private static func value(
        of path: DataPath, _ log: any InspectedLog, at moment: Int
    ) -> String? {
        guard let text = log.state(at: moment, path, from: 0, limit: 100)?.text else { return nil }
        return text.count > 120 ? text.prefix(119) + "…" : text
    }
}
#endif
