// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// The filters of the list.
struct FilterView: Equatable, Sendable {
    struct Choice: Equatable, Sendable {
        let name: String
        let isChosen: Bool
    }

    struct Again: Equatable, Sendable {
        let name: String
        let url: String
    }

    let url: String
    let hidden: [HiddenField]
    let text: String
    let types: [Choice]
    let isChanged: Bool
    let touched: String
    let clear: String?
    /// The types that are left out, each with a link to show it again.
    let shownAgain: [Again]
    /// The titles of the columns that the list has besides its own.
    let titles: [String]
    let hasTitles: Bool

    init(_ view: InspectorView, _ page: EntryPage) {
        let place = view.place
        // A form's fields replace the query.
        url = place.plain.url
        hidden = HiddenField.all(of: place, without: ["text", "type", "changed", "touched", "end"])
        text = place.text
        let names = Set(page.entries.map(\.name)).union(place.type.isEmpty ? [] : [place.type])
        types = names.sorted().map { Choice(name: $0, isChosen: $0 == place.type) }
        isChanged = place.hidesUnchanged
        touched = place.touched?.description ?? ""
        clear =
            place.entryQuery.isUnfiltered
            ? nil
            : place.with { place in
                (place.text, place.type, place.hidesUnchanged) = ("", "", false)
                (place.touched, place.end, place.hiddenTypes) = (nil, nil, [])
            }.url
        shownAgain = place.hiddenTypes.map { type in
            Again(name: type, url: place.with { $0.hiddenTypes.removeAll { $0 == type } }.url)
        }
        titles = view.seen?.columns.map(\.title) ?? []
        hasTitles = !titles.isEmpty
    }
}

extension Place {
    /// The place without filters and selected parts.
    var plain: Place {
        var plain = Place()
        (plain.root, plain.store, plain.entry) = (root, store, entry)
        (plain.pane, plain.page) = (pane, page)
        return plain
    }
}

extension Place {
    /// The text for an empty list: what was searched for.
    var nothingFound: String {
        var parts: [String] = []
        if !text.isEmpty { parts.append("has “\(text)”") }
        if !type.isEmpty { parts.append("is of the type \(type)") }
        if let touched {
            parts.append("changed “\(touched)”")
        } else if hidesUnchanged {
            parts.append("changed something")
        }
        if !hiddenTypes.isEmpty { parts.append("is of a type that is not hidden") }
        guard let last = parts.popLast() else { return "Nothing is recorded here." }
        let all = parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
        return "No entry here " + all + "."
    }
}

/// An entry in the list.
struct EntryView: Equatable, Sendable, Identifiable {
    let id: Int
    let url: String
    let type: String
    let name: String
    let preview: String
    /// The part that changed, if it isn't the one that the list is filtered by.
    let path: String?
    let old: String?
    let new: String?
    let time: String
    let delta: String
    let isSelected: Bool
    let isShown: Bool
    let isSkipped: Bool
    let isAhead: Bool
    let isUnchanged: Bool
    let since: Int?
    /// What the columns have, besides those of each list.
    let cells: [String]
    let hasCells: Bool

    init(_ line: EntryLine, _ view: InspectorView, _ cells: [String]) {
        self.cells = cells
        hasCells = !cells.isEmpty
        id = line.id
        url =
            view.place.with { place in
                place.entry = line.id
                place.first = 0
                if !place.pane.isOfEntry, place.pane != .effects { place.pane = .action }
            }.url
        let parts = line.name.visible.split(separator: "/", maxSplits: 1)
        type = parts.count == 2 ? "\(parts[0])/" : ""
        name = String(parts.last ?? "")
        preview = line.preview
        let isElsewhere = line.change.map { $0.path != view.place.touched } ?? false
        path = isElsewhere ? line.change.map { "\($0.path)".visible } : nil
        old = line.change?.old
        new = line.change?.new
        time = Words.time(line.time)
        delta = line.time > 0 ? Words.delta(line.delta) : ""
        isSelected = line.id == view.selected
        isShown = line.moment == view.seen?.summary.cursor
        isSkipped = line.isSkipped
        isAhead = line.isAhead
        isUnchanged = line.isChange == false
        since = line.since
    }
}

/// Links to further pages of the list.
struct PagesView: Equatable, Sendable {
    let earlier: String?
    let later: String?
    let newest: String?
    /// The text shown instead of entries; nil if there are some.
    let nothing: String?
    let note: String?
    /// The store whose entries may be moved.
    let store: String?

    init(_ view: InspectorView, _ page: EntryPage) {
        func url(_ end: Int?) -> String { view.place.with { $0.end = end }.url }
        earlier = page.earlier.map { url($0) }
        let count = view.seen?.summary.count ?? 0
        let next = (page.later ?? count) + 100
        later = page.later.map { _ in url(next < count ? next : nil) }
        newest = view.place.end.map { _ in url(nil) }
        nothing = page.entries.isEmpty ? view.place.nothingFound : nil
        store = view.seen?.name
        note =
            page.examined >= EntryQuery.mostExamined && page.earlier != nil
            ? "Looked at \(page.examined) entries." : nil
    }
}
#endif
