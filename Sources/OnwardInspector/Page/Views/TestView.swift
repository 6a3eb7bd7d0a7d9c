// SPDX-License-Identifier: MIT
#if Server

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
    /// Whether the search came to its end.
    let isShortest: Bool
    /// How far the search is; nil if there is none.
    let progress: String?

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
                    name: "The shortest",
                    // It stays with the entry, however many come.
                    url: place.with { ($0.isShortest, $0.entry) = (true, view.selected) }.url,
                    current: place.isShortest ? "true" : nil)
            ]
        let part = place.path.isEmpty ? "state" : "\(place.path)"
        guard place.isShortest else {
            do {
                (source, problem) = (try log.testSource(from: start, to: moment), nil)
            } catch {
                (source, problem) = (nil, error.description)
            }
            (kept, isShortest, progress) = (nil, false, nil)
            return
        }
        switch log.shortestTest(to: moment, keeping: place.path) {
        case .found(let test):
            (source, problem, progress) = (test.source, nil, nil)
            (kept, isShortest) = ("the same \(part)", test.isShortest)
            return
        case .failed(let reason): (problem, progress) = (reason.description, nil)
        case .none, .waiting: (problem, progress) = (nil, "The search begins soon.")
        case .searching(let entries, let runs):
            problem = nil
            progress = "Searching: \(entries) entries left after \(runs) runs."
        }
        (source, kept, isShortest) = (nil, nil, false)
    }
}
#endif
