// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// Where the user was, the newest first: the entries that changed it.
struct RoutesView: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        let entry: EntryLink
        let name: String
        let time: String
        /// The window or tab, or the part of the state; nil if one change has several.
        let place: String?
        /// The same with complete ids; nil if it has none.
        let whole: String?
        let old: String?
        let new: String?
        let isSelected: Bool
    }

    let head: PaneHead
    let forms: [Choice]
    let steps: [Step]
    let isEmpty: Bool
    let earlier: String?
    let newest: String?
    let examined: Int?

    init(_ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog) {
        let page = log.routes(view.place.routeQuery)
        self.head = head
        forms = Choice.ofActivity(view)
        steps = page.entries.reversed().map { line in
            let path = line.change.map { "\($0.path)" } ?? ""
            func known(_ text: String?) -> String? {
                text.flatMap { $0.isEmpty ? nil : Words.withShortIDs($0) }
            }
            let texts = [line.change?.new, line.change?.old, path].compactMap { $0 }
            let isShortened = texts.contains { Words.withShortIDs($0) != $0 }
            return Step(
                entry: EntryLink(line.id, view), name: line.name, time: Words.time(line.time),
                place: known(path), whole: isShortened ? texts.joined(separator: "\n") : nil,
                old: known(line.change?.old), new: known(line.change?.new),
                isSelected: line.id == view.selected)
        }
        isEmpty = steps.isEmpty
        earlier = page.earlier.map { moment in view.place.with { $0.until = moment }.url }
        newest = view.place.until.map { _ in view.place.with { $0.until = nil }.url }
        examined = page.examined >= EntryQuery.mostExamined ? page.examined : nil
    }
}
#endif
