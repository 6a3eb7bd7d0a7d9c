// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardInspection
internal import OnwardJournal

/// The source of a test that leads to the entry.
struct TestView: Equatable, Sendable {
    let head: PaneHead
    let choices: [Choice]
    let source: String?
    let problem: String?
    /// What the shortest test leads to.
    let kept: String?

    init(_ head: PaneHead, _ view: InspectorView, _ log: any InspectedLog, at moment: Int) {
        self.head = head
        let chosen = view.place.base.flatMap { log.moment(after: $0) }
        let start = chosen.map { min($0, max(moment - 1, 0)) } ?? max(moment - 10, 0)
        let starts = [
            ("This entry", max(moment - 1, 0)), ("The last 10", max(moment - 10, 0)), ("All", 0),
        ]
        let place = view.place
        choices =
            starts.compactMap { name, first in
                guard let id = log.id(before: first) else { return nil }
                return Choice(
                    name: name,
                    url: place.with { ($0.base, $0.isShortest) = (id, false) }.url,
                    current: first == start && !place.isShortest ? "true" : nil)
            } + [
                Choice(
                    name: "The shortest", url: place.with { $0.isShortest = true }.url,
                    current: place.isShortest ? "true" : nil)
            ]
        do {
            source =
                try place.isShortest
                ? log.shortestTestSource(to: moment, keeping: place.path)
                : log.testSource(from: start, to: moment)
            problem = nil
        } catch {
            source = nil
            problem = error.description
        }
        let isFound = place.isShortest && source != nil
        let part = place.path.isEmpty ? "state" : "\(place.path)"
        kept = isFound ? "the same \(part)" : nil
    }
}
#endif
