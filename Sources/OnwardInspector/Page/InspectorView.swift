// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardServer

/// The page of a tab: what its place shows of the stores as last seen.
struct InspectorView {
    let state: InspectorState
    let place: Place
    /// The store that the place means; nil where there is none.
    let seen: InspectorState.Seen?
    /// The id of the entry that is selected; 0 for the state before all.
    let selected: Int
    /// The confirmation over the page; the links of the page close it.
    let question: Place.Question?

    init(_ state: InspectorState, at place: Place) {
        let seen = place.store.map { state[$0] } ?? state.stores.first
        self.state = state
        self.seen = seen
        question = place.question
        self.place = place.with { ($0.store, $0.question) = (seen?.name ?? place.store, nil) }
        selected = place.entry ?? seen?.summary.shownID ?? 0
    }

    var fragments: [Fragment] {
        let stores = Fragment("stores", model: StoresView(self))
        guard let seen else {
            return [
                stores, Fragment("transport", template: "none", model: 0),
                Fragment("filter", template: "none", model: 0), Self.list([]),
                Fragment("pages", template: "none", model: 0),
                Fragment("pane", template: "missing", model: MissingView(place.store)),
                Fragment("question", template: "none", model: 0),
            ]
        }
        let page = limited(seen.log).answering { $0.entries(place.entryQuery) } ?? EntryPage()
        return [
            stores,
            Fragment("transport", model: TransportView(self, seen)),
            Fragment("filter", model: FilterView(self, page)),
            Self.list(rows(of: page, seen.columns)),
            Fragment("pages", model: PagesView(self, page)),
            pane(within: QuestionLimits(), seen, page),
            question.map { Fragment("question", model: QuestionView($0, self, seen)) }
                ?? Fragment("question", template: "none", model: 0),
        ]
    }

    /// The entries of the list, whose columns are left empty once they take too long.
    private func rows(of page: EntryPage, _ columns: [InspectorColumn]) -> [EntryView] {
        let limits = QuestionLimits()
        limits.begin()
        return page.entries.map { line in
            let cells = columns.map { limits.isOver ? "" : $0.text(for: line) }
            return EntryView(line, self, cells)
        }
    }

    private static func list(_ rows: [EntryView]) -> Fragment {
        Fragment("list", in: .ol, template: "entry", rows: rows)
    }

    /// A log that answers one question within limits.
    private func limited(_ log: any InspectedLog) -> any InspectedLog {
        let limits = QuestionLimits()
        limits.begin()
        return log.within(limits)
    }

    /// The pane, or why it can't be shown.
    private func pane(
        within limits: QuestionLimits, _ seen: InspectorState.Seen, _ page: EntryPage
    ) -> Fragment {
        limits.begin()
        let pane = seen.log.within(limits).answering { log in
            var asked = seen
            asked.log = log
            return self.pane(of: asked, page, limits)
        }
        if let pane, limits.problem == nil { return pane }
        return Fragment(
            "pane", template: "waiting",
            model: WaitingView(self, seen, page, limits.problem?.description ?? seen.notice))
    }

    private func pane(
        of seen: InspectorState.Seen, _ page: EntryPage, _ limits: QuestionLimits
    ) -> Fragment {
        let head = PaneHead(self, seen, page)
        switch place.pane {
        case .dispatch:
            return Fragment("pane", template: "dispatch", model: DispatchView(head, self, seen))
        case .activity:
            return Fragment(
                "pane", template: "activity", model: ActivityView(head, self, seen.shownActivity))
        case .effects:
            return Fragment(
                "pane", template: "effects", model: EffectsView(head, self, seen.log))
        case .page:
            return Fragment("pane", template: "page", model: PageView(head, self, seen, limits))
        case .file: return Fragment("pane", template: "file", model: FileView(head, self, seen))
        case .action, .state, .diff, .trace, .test: break
        }
        guard let moment = seen.log.moment(after: selected) else {
            return Fragment("pane", template: "gone", model: EntryPane(head, self, seen.log))
        }
        switch place.pane {
        case .state:
            return Fragment(
                "pane", template: "state", model: StateView(head, self, seen.log, at: moment))
        case .diff:
            return Fragment(
                "pane", template: "diff", model: DiffView(head, self, seen.log, at: moment))
        case .test:
            return Fragment(
                "pane", template: "test", model: TestView(head, self, seen.log, at: moment))
        case .trace:
            return Fragment("pane", template: "trace", model: EntryPane(head, self, seen.log))
        default:
            return Fragment("pane", template: "action", model: EntryPane(head, self, seen.log))
        }
    }
}

extension InspectorState.Seen {
    /// The store's activity besides its log.
    var shownActivity: StoreActivity { activity ?? lookAtActivity() }
}

/// A notice that an app has not answered yet, or why there is no answer.
struct WaitingView: Equatable, Sendable {
    let head: PaneHead
    let problem: String?

    init(
        _ view: InspectorView, _ seen: InspectorState.Seen, _ page: EntryPage, _ problem: String?
    ) {
        // A pinned part may be what took too long.
        head = PaneHead(view, seen, page, showsPins: problem == nil)
        self.problem = problem
    }
}

/// A notice that there is nothing to inspect.
struct MissingView: Equatable, Sendable {
    let store: String?

    init(_ store: String?) { self.store = store }
}
#endif
