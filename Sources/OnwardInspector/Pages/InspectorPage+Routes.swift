// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// Which part of the log is looked through.
private struct Stretch: Codable {
    /// The moment before which the list ends; nil for the newest.
    var until: Int?
}

extension InspectorPage {
    /// Where the user was, the newest first: the entries that changed it.
    static let routes = InspectorPage("routes", title: "Routes", asking: Stretch()) {
        stretch, context in
        var query = EntryQuery()
        query.start = stretch.until.map { .before($0) } ?? .end
        let page = context.log.routes(query)
        var links: [PageCell] = []
        if let earlier = page.earlier {
            links.append(PageCell("Earlier", link: .asking(Stretch(until: earlier))))
        }
        if page.examined >= EntryQuery.mostExamined {
            links.append("Looked at \(page.examined) entries.")
        }
        if stretch.until != nil { links.append(PageCell("Newest", link: .asking(Stretch()))) }
        guard !page.entries.isEmpty else {
            return [
                .note(
                    """
                    No entry here changed the route. It is what the state has of RouteStack and RouteTabs; a file alone \
                    doesn’t say it.
                    """), .links(links),
            ]
        }
        return [
            .table(
                [
                    "Entry", PageColumn("Route", hasWords: true),
                    PageColumn("By", hasWords: true, isMinor: true),
                    PageColumn("Time", isMinor: true),
                ],
                page.entries.reversed().map { line in
                    [
                        PageCell("\(line.id)", link: .entry(line.id)), route(line),
                        PageCell(line.name), "\(Words.time(line.time))",
                    ]
                }), .links(links),
        ]
    }

    /// Where an entry led, and from where; with the window, the tab or the part of the state, unless
    /// it changed several.
    private static func route(_ line: EntryLine) -> PageCell {
        guard let change = line.change else { return "" }
        let place = "\(change.path)"
        let texts = [change.new, change.old, place].filter { !$0.isEmpty }
        let new = Words.withShortIDs(change.new)
        var asides: [String] = place.isEmpty ? [] : [Words.withShortIDs(place)]
        if !change.old.isEmpty { asides.append("from \(Words.withShortIDs(change.old))") }
        return PageCell(
            new.isEmpty ? "nowhere" : new, aside: asides.joined(separator: " · "),
            // Ids are shown in full where they were shortened.
            hint: texts.contains { Words.withShortIDs($0) != $0 }
                ? texts.joined(separator: " · ") : "")
    }
}
#endif
