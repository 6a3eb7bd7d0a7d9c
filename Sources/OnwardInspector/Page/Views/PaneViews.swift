// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardJournal

/// A part of a value, as a line of a tree.
struct NodeView: Equatable, Sendable {
    let step: String
    let text: String
    let depth: Int
    let kind: String
    /// Where a part leads that has parts itself.
    let url: String?
    /// How many parts it has.
    let count: Int?

    /// The parts of a value and theirs, line by line.
    static func lines(
        of node: StateNode, depth: Int = 0, url: (DataPath) -> String?
    ) -> [NodeView] {
        node.parts.flatMap { part -> [NodeView] in
            let line = NodeView(
                step: part.step, text: part.text, depth: depth, kind: Self.kind(of: part),
                url: part.count > 0 ? url(part.path) : nil,
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

/// An entry: what its action carries, or where that came from.
struct EntryPane: Equatable, Sendable {
    let head: PaneHead
    let lines: [NodeView]
    let value: String?
    let isBare: Bool
    let isReflected: Bool
    let file: String?
    let line: Int
    let address: String?
    let delta: String
    let version: String?

    init(_ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog) {
        let entry = log.entry(view.selected)
        self.head = head
        let payload = entry?.payload ?? StateNode()
        lines = NodeView.lines(of: payload) { _ in nil }
        value = payload.kind == .value && !["", "null"].contains(payload.text) ? payload.text : nil
        isBare = lines.isEmpty && value == nil
        isReflected = entry?.isReflected ?? false
        file = entry.flatMap { $0.line.file.isEmpty ? nil : $0.line.file }
        line = entry?.line.line ?? 0
        address = entry.flatMap { $0.line.address.isEmpty ? nil : $0.line.address }
        delta = Words.delta(entry?.line.delta ?? 0)
        version = entry?.version.map { "\($0)" }
    }
}

/// The way to a part of the state.
struct Crumb: Equatable, Sendable {
    let name: String
    let url: String

    static func trail(to path: DataPath, in view: InspectorView) -> [Crumb] {
        (0...path.steps.count).map { length in
            let part = DataPath(Array(path.steps.prefix(length)))
            return Crumb(
                name: length == 0 ? "state" : path.steps[length - 1],
                url: view.place.with { ($0.path, $0.first) = (part, 0) }.url)
        }
    }
}

/// The state after an entry, a part at a time.
struct StateView: Equatable, Sendable {
    private static let pageSize = 100

    let head: PaneHead
    let crumbs: [Crumb]
    let lines: [NodeView]
    let value: String?
    let isMissing: Bool
    let who: String?
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
        lines = NodeView.lines(of: node ?? StateNode()) { path in
            place.with { ($0.path, $0.first) = (path, 0) }.url
        }
        value = node.flatMap { $0.kind == .value || $0.count == 0 ? $0.text : nil }
        isMissing = node == nil
        who =
            place.path.isEmpty
            ? nil : place.with { ($0.touched, $0.end) = (place.path, nil) }.url
        let (first, count) = (node?.first ?? 0, node?.count ?? 0)
        let last = min(first + Self.pageSize, count)
        range = count > Self.pageSize ? "\(first + 1)–\(last) of \(count)" : nil
        earlier =
            first > 0 ? place.with { $0.first = max(first - Self.pageSize, 0) }.url : nil
        later = last < count ? place.with { $0.first = last }.url : nil
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
    let isCut: Bool
    let base: String
    let crumbs: [Crumb]

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
                path: change.path.isEmpty ? "the state" : "\(change.path)", url: part.url,
                who: place.with { ($0.touched, $0.end) = (change.path, nil) }.url,
                kind: change.kind.rawValue, old: change.kind == .added ? nil : change.old,
                new: change.kind == .removed ? nil : change.new)
        }
        isSame = changes.isEmpty
        isCut = changes.count >= Self.limit
        base = place.base.map { "entry \($0)" } ?? "the entry before"
        crumbs = Crumb.trail(to: place.path, in: view)
    }
}

/// A form for actions.
struct DispatchView: Equatable, Sendable {
    let head: PaneHead
    let names: [String]
    let problem: String?
    let example: String

    init(_ head: PaneHead, _ seen: InspectorState.Seen) {
        self.head = head
        names = seen.actionNames
        problem = seen.problem
        // What was dispatched last is what one mostly wants to have again, or a little different.
        let name = seen.actionNames.first ?? "Action"
        example = Self.example(of: seen.log) ?? #"{"type": "\#(name)/case"}"#
    }

    private static func example(of log: any InspectedLog) -> String? {
        guard let last = log.entry(log.summary.newestID), !last.isReflected else { return nil }
        let fields = last.payload.parts.map { #", "\#($0.step)": \#($0.text)"# }
        let isFlat = last.payload.parts.allSatisfy { $0.kind == .value }
        return isFlat ? #"{"type": "\#(last.line.name)"\#(fields.joined())}"# : nil
    }
}

/// Files in and out.
struct FileView: Equatable, Sendable {
    let head: PaneHead
    let url: String
    let problem: String?

    init(_ head: PaneHead, _ seen: InspectorState.Seen) {
        self.head = head
        url = "/api/v1/stores/\(seen.name)/file"
        problem = seen.problem
    }
}
#endif
