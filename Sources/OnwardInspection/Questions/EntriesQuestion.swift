// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// Which entries there are.
package struct EntriesQuestion: LogQuestion {
    package static let address = "entries"
    package static let fields =
        filters + [QuestionField("path", .text, "Only those that changed what is there."), .limit]
    package static let tool: QuestionTool? = QuestionTool(
        "entries", command: "list",
        "Lists the actions that were dispatched, each with its id, time, payload, and the file and line that dispatched it. The newest ones unless `after` or `before` is given; `earlier` and `later` in the answer say where to go on."
    )

    static let filters =
        [
            QuestionField(
                "text", .text,
                "Only those whose name, payload, instance or file has this text, in any case."),
            QuestionField("type", .texts, "Only those of this name, such as CartAction/add."),
            QuestionField("hide", .texts, "None of those of this name."),
            QuestionField("changed", .truth, "Only those that changed the state."),
        ] + [.before, .after]

    private var text: String?
    private var type: [String]?
    private var hide: [String]?
    private var changed: Bool?
    private var path: DataPath?
    private var before: Int?
    private var after: Int?
    private var limit: Int?

    package init(_ query: EntryQuery) {
        text = query.text.isEmpty ? nil : query.text
        type = query.types.sorted()
        hide = query.hiddenTypes.sorted()
        changed = query.hidesUnchanged ? true : nil
        path = query.path
        (before, after) = query.start.moments
        limit = query.limit
    }

    var query: EntryQuery {
        var query = EntryQuery()
        query.text = text ?? ""
        query.types = Set(type ?? [])
        query.hiddenTypes = Set(hide ?? [])
        query.hidesUnchanged = changed ?? false
        query.path = path
        query.start = EntryQuery.Start(before: before, after: after)
        query.limit = limit ?? query.limit
        return query
    }

    package func answer(from store: AskedStore) -> EntryPage { store.log.entries(query) }
}

extension EntryQuery.Start {
    init(before: Int?, after: Int?) {
        self = after.map { .after($0) } ?? before.map { .before($0) } ?? .end
    }

    var moments: (before: Int?, after: Int?) {
        switch self {
        case .end: (nil, nil)
        case .before(let moment): (moment, nil)
        case .after(let moment): (nil, moment)
        }
    }
}

extension QuestionField {
    static let limit = QuestionField(
        "limit", .integer, "The most results, at most 200; 50 unless given.")
    static let path = QuestionField(
        "path", .text, "A path of the state, such as cart.items.0.name; empty for all of it.")
    static let entry = QuestionField(
        "entry", .entry,
        "The id of the entry; 0 for the state before all. What is shown unless given.")
    static let before = QuestionField(
        "before", .integer,
        "Only those up to this moment: 0 is before all, n after the nth entry.")
    static let after = QuestionField("after", .integer, "Only those after this moment.")
}

extension EntryPage: LogAnswer {
    package static var example: EntryPage {
        var page = EntryPage()
        page.entries = [EntryLine()]
        return page
    }

    package var bounded: EntryPage {
        var page = self
        var ids: Set<Int> = []
        page.entries = entries.prefix(EntryQuery.mostEntries).map(\.bounded)
            .filter { ids.insert($0.id).inserted }
        page.earlier = earlier?.bounded
        page.later = later?.bounded
        page.examined = examined.bounded
        return page
    }

    package var lines: [String] { entries.map(\.summary) }
}

extension EntryLine {
    var bounded: EntryLine {
        var line = self
        line.id = id.bounded
        line.moment = moment.bounded
        line.time = time.bounded
        line.delta = min(max(delta, -1), 1 << 62)
        line.line = self.line.bounded
        line.since = since?.bounded
        return line
    }

    /// The entry in a line of text.
    var summary: String {
        var text = "\(id)  \(name)"
        if !address.isEmpty { text += " @\(address)" }
        if !preview.isEmpty { text += "  \(preview)" }
        if let change {
            text += "  \(change.summary)"
            if let since { text += " (or an entry after \(since))" }
        }
        if isSkipped { text += "  (skipped)" }
        if !file.isEmpty { text += "  \(file)" + (line > 0 ? ":\(line)" : "") }
        if let page { text += "  from the page \(page)" }
        return text
    }
}
