// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// A part of a value, as a line of a tree.
struct NodeView: Equatable, Sendable {
    let step: String
    let text: String
    let depth: Int
    let kind: String
    /// The page of the part, if it has its own.
    let url: String?
    /// How many parts it has.
    let count: Int?

    /// The parts of a value and their parts, line by line.
    static func lines(
        of node: StateNode, depth: Int = 0, url: (DataPath) -> String?
    ) -> [NodeView] {
        node.parts.flatMap { part -> [NodeView] in
            let line = NodeView(
                step: part.step.visible, text: part.text, depth: depth, kind: Self.kind(of: part),
                url: url(part.path),
                count: part.kind == .value ? nil : part.count)
            return [line] + lines(of: part, depth: depth + 1, url: url)
        }
    }

    private static func kind(of node: StateNode) -> String {
        switch node.kind {
        case .object, .list: return node.kind.rawValue
        case .value:
            if node.text.hasPrefix("\"") { return "text" }
            return ["true", "false", "null"].contains(node.text) ? "word" : "number"
        }
    }
}

/// An entry: the payload of its action, or the origin of the action.
struct EntryPane: Equatable, Sendable {
    let head: PaneHead
    let lines: [NodeView]
    let value: String?
    let isBare: Bool
    /// Whether this is the state before all entries.
    let isBeforeAll: Bool
    let isReflected: Bool
    /// The place in the source that dispatched it.
    let source: String?
    /// The request that sent it, and the page that sent the request.
    let request: String?
    let page: String?
    /// The fields that a form of the page must have for this, in the form to search templates for.
    let fields: [String]
    let hasFields: Bool
    let address: String?
    let delta: String
    let version: String?

    init(_ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog) {
        let entry = log.entry(view.selected)
        self.head = head
        let payload = entry?.payload ?? StateNode()
        lines = NodeView.lines(of: payload) { _ in nil }
        value = payload.kind == .value && !["", "null"].contains(payload.text) ? payload.text : nil
        isBeforeAll = view.selected == 0
        isBare = !isBeforeAll && lines.isEmpty && value == nil
        isReflected = entry?.isReflected ?? false
        source = entry.flatMap { entry in
            let (file, line) = (entry.line.file, entry.line.line)
            return file.isEmpty ? nil : line > 0 ? "\(file):\(line)" : file
        }
        (request, page) = (entry?.line.request, entry?.line.page)
        // A link has a URL instead.
        let isMove = entry?.line.name.hasPrefix("Navigation.") ?? true
        let type = entry.map { ["type=\($0.line.name)"] } ?? []
        fields = isMove ? [] : type + payload.parts.map { "\($0.step)=\($0.text)" }
        hasFields = !fields.isEmpty
        address = entry.flatMap { $0.line.address.isEmpty ? nil : $0.line.address.visible }
        delta = Words.delta(entry?.line.delta ?? 0)
        version = entry?.version.map { "\($0)" }
    }
}

/// A step on the way to a part of the state.
struct Crumb: Equatable, Sendable {
    let name: String
    let url: String

    static func trail(to path: DataPath, in view: InspectorView) -> [Crumb] {
        (0...path.steps.count).map { length in
            let part = DataPath(Array(path.steps.prefix(length)))
            return Crumb(
                name: length == 0 ? "state" : path.steps[length - 1].visible,
                url: view.place.with { ($0.path, $0.first) = (part, 0) }.url)
        }
    }
}

/// How the state differs from an earlier one.
struct DiffView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let path: String
        let url: String
        let who: String
        let kind: String
        let old: String?
        let new: String?
    }

    private static let limit = 200

    let head: PaneHead
    let rows: [Row]
    let isSame: Bool
    let isUnknown: Bool
    let isCut: Bool
    let base: String
    /// The part that is shown alone; nil for the whole state.
    let part: String?
    /// Where the whole difference is.
    let whole: String

    init(
        _ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog, at moment: Int
    ) {
        let place = view.place
        let old = place.base.flatMap { log.moment(after: $0) } ?? max(moment - 1, 0)
        let changes = log.changes(from: old, to: moment, in: place.path, limit: Self.limit)
        self.head = head
        rows = changes.map { change in
            let part = place.with { ($0.path, $0.pane, $0.first) = (change.path, .state, 0) }
            return Row(
                path: change.path.isEmpty ? "the state" : "\(change.path)".visible, url: part.url,
                who: place.with { ($0.touched, $0.end) = (change.path, nil) }.url,
                kind: change.kind.rawValue, old: change.kind == .added ? nil : change.old,
                new: change.kind == .removed ? nil : change.new)
        }
        let isKnown = log.knownMoment(upTo: moment) == moment
        isUnknown = !isKnown || log.knownMoment(upTo: old) == nil
        isSame = changes.isEmpty && !isUnknown
        isCut = changes.count >= Self.limit
        let from = log.knownMoment(upTo: old)
        base =
            from != nil && from != old
            ? "entry \(log.id(before: from ?? 0) ?? 0)"
            : place.base.map { "entry \($0)" } ?? "the entry before"
        part = place.path.isEmpty ? nil : "\(place.path)".visible
        whole = place.with { $0.path = DataPath() }.url
    }
}

/// Importing and exporting files.
struct FileView: Equatable, Sendable {
    let head: PaneHead
    let url: String
    let problem: String?

    init(_ head: PaneHead, _ view: InspectorView, _ seen: InspectorState.Seen) {
        self.head = head
        url = Self.url(of: seen.name, at: view.place)
        problem = seen.problem?.visible
    }

    /// The URL of a store's log as a file.
    static func url(of store: String, at place: Place) -> String {
        "\(place.root)/api/v1/stores/\(store)/file"
    }
}
#endif
