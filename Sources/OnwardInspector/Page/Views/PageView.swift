// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// A page that is asked a question: the form for it, and the blocks that it answers.
struct PageView: Equatable, Sendable {
    struct Field: Equatable, Sendable {
        let label: String
        let field: String
        let text: String
        let isNumber: Bool
        let isChoice: Bool
        let isTrue: Bool
    }

    /// The form for the question; a form's fields replace the query of its URL.
    struct Form: Equatable, Sendable {
        let target: String
        let hidden: [HiddenField]
        let inputs: [Field]
    }

    struct Cell: Equatable, Sendable {
        let text: String
        let aside: String?
        let hint: String?
        let isCode: Bool
        let link: String?
        let bar: Bar?
        let hasWords: Bool
        let isMinor: Bool
    }

    /// A bar in thousandths of its axis; one without a length is seen nevertheless.
    struct Bar: Equatable, Sendable {
        let x: Int
        let width: Int
    }

    struct Row: Equatable, Sendable {
        let first: Cell
        let cells: [Cell]
        let isSelected: Bool
    }

    struct Table: Equatable, Sendable {
        let columns: [Cell]
        let rows: [Row]
        let sum: Row?
    }

    struct Block: Equatable, Sendable {
        var heading: String?
        var note: String?
        var table: Table?
        var links: [Cell] = []
        var hasLinks = false
    }

    let head: PaneHead
    let forms: [Choice]
    let label: String
    let form: Form?
    let blocks: [Block]
    /// Why there is no answer; nil if there is one.
    let problem: String?

    init(
        _ head: PaneHead, _ view: InspectorView, _ seen: InspectorState.Seen,
        _ limits: QuestionLimits
    ) {
        self.head = head
        forms = Choice.ofActivity(view)
        let place = view.place
        guard let page = seen.pages[place.page] else {
            label = "Page"
            (form, blocks) = (nil, [])
            problem = "“\(seen.name)” has no page “\(place.page.visible)”."
            return
        }
        label = page.title
        form = page.fields.isEmpty ? nil : Form(page.fields, place)
        let context = PageContext(seen.log, entry: view.selected, within: limits) {
            seen.shownActivity
        }
        do {
            let answer = try page.blocks(asking: place.asked, in: context)
            (blocks, problem) = (answer.compactMap { Block($0, view) }, nil)
        } catch {
            (blocks, problem) = ([], error.description.visible)
        }
    }
}

extension PageView.Form {
    fileprivate init(_ fields: [PageField], _ place: Place) {
        target = place.plain.url
        let names = fields.map { PageQuestion.mark + $0.name }
        hidden = HiddenField.all(of: place, without: Set(names))
        inputs = fields.map { field in
            let text = place.asked[field.name] ?? field.text
            return PageView.Field(
                label: field.name.visible, field: PageQuestion.mark + field.name, text: text,
                isNumber: field.kind == .integer || field.kind == .number,
                isChoice: field.kind == .truth, isTrue: text == "true")
        }
    }
}

extension PageView.Block {
    /// Nil for a table without rows, and for no links.
    fileprivate init?(_ block: PageBlock, _ view: InspectorView) {
        switch block {
        case .heading(let text): heading = text
        case .note(let text): note = text
        case .links(let cells):
            guard !cells.isEmpty else { return nil }
            links = cells.map { PageView.Cell($0, nil, view) }
            hasLinks = true
        case .table(let known):
            guard !known.rows.isEmpty else { return nil }
            table = PageView.Table(known, view)
        }
    }
}

extension PageView.Table {
    fileprivate init(_ table: PageTable, _ view: InspectorView) {
        columns = table.columns.map { PageView.Cell(PageCell($0.title), $0, view) }
        rows = table.rows.map { PageView.Row($0, table.columns, view) }
        sum = table.sum.isEmpty ? nil : PageView.Row(table.sum, table.columns, view)
    }
}

extension PageView.Row {
    /// A row has a cell for each column: what is missing is empty, what is too much is left out.
    fileprivate init(_ cells: [PageCell], _ columns: [PageColumn], _ view: InspectorView) {
        let all = columns.enumerated().map { index, column in
            PageView.Cell(cells.indices.contains(index) ? cells[index] : "", column, view)
        }
        first = all.first ?? PageView.Cell("", nil, view)
        self.cells = Array(all.dropFirst())
        isSelected = cells.contains { $0.link == .entry(view.selected) }
    }
}

extension PageView.Cell {
    fileprivate init(_ cell: PageCell, _ column: PageColumn?, _ view: InspectorView) {
        text = cell.text
        aside = cell.aside.isEmpty ? nil : cell.aside
        hint = cell.hint.isEmpty ? nil : cell.hint
        isCode = cell.isCode
        bar = cell.bar.map { bar in
            PageView.Bar(x: min(bar.start, 995), width: max(bar.end - bar.start, 5))
        }
        hasWords = column?.hasWords ?? true
        isMinor = column?.isMinor ?? false
        let place = view.place
        link =
            switch cell.link {
            case nil: nil
            case .entry(let id): id < 0 ? nil : EntryLink(id, view).url
            case .entries(let text): place.with { ($0.text, $0.end) = (text, nil) }.url
            case .state(let path):
                place.with { ($0.pane, $0.path, $0.first) = (.state, DataPath(path), 0) }.url
            case .question(let texts): place.with { $0.asked = texts }.url
            }
    }
}
#endif
