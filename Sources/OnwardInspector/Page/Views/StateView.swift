// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal
internal import OnwardNavigation
internal import OnwardServer

/// The state after an entry, a part at a time: as lines, tables, a drawing, JSON, or matches.
struct StateView: Equatable, Sendable {
    private static let pageSize = 100
    private static let mostRaw = 100_000

    let head: PaneHead
    let crumbs: [Crumb]
    let forms: [Choice]
    let isTree: Bool
    let lines: [NodeView]
    let value: String?
    let raw: String?
    let chart: ChartView?
    let table: TableView?
    let isMissing: Bool
    let isUnknown: Bool
    let known: KnownView?
    let who: String?
    let pin: String?
    let unpin: String?
    let search: SearchView
    let range: String?
    let earlier: String?
    let later: String?

    init(
        _ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog, at moment: Int
    ) {
        let place = view.place
        let node = log.state(at: moment, place.path, from: place.first, limit: Self.pageSize)
        self.head = head
        crumbs = Crumb.trail(to: place.path, in: view)
        forms = Place.Form.allCases.map { form in
            Choice(
                name: form.noun, url: place.with { ($0.form, $0.sought) = (form, "") }.url,
                current: form == place.form && place.sought.isEmpty ? "true" : nil)
        }
        search = SearchView(view, log, at: moment)
        isTree = place.form == .tree && !search.isActive
        func url(_ path: DataPath) -> String { place.with { ($0.path, $0.first) = (path, 0) }.url }
        lines = isTree ? NodeView.lines(of: node ?? StateNode(), url: url) : []
        value = isTree ? node.flatMap { $0.kind == .value || $0.count == 0 ? $0.text : nil } : nil
        raw =
            place.form == .raw && !search.isActive
            ? log.text(at: moment, place.path, limit: Self.mostRaw) : nil
        chart =
            place.form == .chart && !search.isActive ? node.map { ChartView($0, url: url) } : nil
        table =
            place.form == .table && !search.isActive
            ? node.map { node in
                TableView(
                    node, look: { log.state(at: moment, $0, from: 0, limit: $1) }, url: url)
            } : nil
        let known = log.knownMoment(upTo: moment)
        isUnknown = known == nil
        isMissing = node == nil && !isUnknown
        self.known = known.flatMap { KnownView($0, at: moment, view, log) }
        who =
            place.path.isEmpty
            ? nil : place.with { ($0.touched, $0.end) = (place.path, nil) }.url
        let isPinned = place.pins.contains(place.path)
        let canPin = !place.path.isEmpty && place.pins.count < Place.mostPins
        pin = canPin && !isPinned ? place.with { $0.pins.append(place.path) }.url : nil
        unpin = isPinned ? place.with { $0.pins.removeAll { $0 == place.path } }.url : nil
        let (first, count) = (node?.first ?? 0, node?.count ?? 0)
        let last = min(first + Self.pageSize, count)
        let hasPages = (isTree || place.form == .table && !search.isActive) && count > Self.pageSize
        range = hasPages ? "\(first + 1)–\(last) of \(count)" : nil
        earlier =
            hasPages && first > 0
            ? place.with { $0.first = max(first - Self.pageSize, 0) }.url : nil
        later = hasPages && last < count ? place.with { $0.first = last }.url : nil
    }
}

extension Place.Form {
    fileprivate var noun: String {
        switch self {
        case .tree: "Tree"
        case .table: "Table"
        case .chart: "Chart"
        case .raw: "Raw"
        }
    }
}

/// A notice that a log doesn't know the state at a moment.
struct KnownView: Equatable, Sendable {
    let entry: String
    let url: String

    /// Nil if the state is known.
    init?(_ known: Int, at moment: Int, _ view: InspectorView, _ log: any InspectedLog) {
        guard known != moment, let id = log.id(before: known) else { return nil }
        entry = id == 0 ? "before all entries" : "after entry \(id)"
        url = view.place.with { $0.entry = id }.url
    }
}

/// One of several ways to show something.
struct Choice: Equatable, Sendable {
    let name: String
    let url: String
    let current: String?
}

/// A hidden field of a form: what stays in the URL.
struct HiddenField: Equatable, Sendable {
    let name: String
    let value: String

    /// The fields for the URL of a place, without some names.
    static func all(of place: Place, without names: Set<String>) -> [HiddenField] {
        place.query.fields.filter { !names.contains($0.name) }
            .map { HiddenField(name: $0.name, value: $0.value) }
    }
}

/// The parts of the state that contain a text.
struct SearchView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let path: String
        let url: String
        let who: String
        let text: String
    }

    private static let limit = 100

    let url: String
    let hidden: [HiddenField]
    let text: String
    let isActive: Bool
    let rows: [Row]
    let isEmpty: Bool
    let isCut: Bool

    init(_ view: InspectorView, _ log: any InspectedLog, at moment: Int) {
        let place = view.place
        url = place.plain.url
        hidden = HiddenField.all(of: place, without: ["find", "first"])
        text = place.sought
        isActive = !text.isEmpty
        rows = log.find(text, at: moment, in: place.path, limit: Self.limit).map { node in
            Row(
                path: "\(node.path)",
                url: place.with { ($0.path, $0.sought, $0.first) = (node.path, "", 0) }.url,
                who: place.with { ($0.touched, $0.end) = (node.path, nil) }.url,
                text: node.text)
        }
        isEmpty = isActive && rows.isEmpty
        isCut = rows.count >= Self.limit
    }
}
#endif
