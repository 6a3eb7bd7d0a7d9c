// SPDX-License-Identifier: MIT

public import ExpensesCore
import Mustache
import Onward
import OnwardJournal
public import OnwardServer

extension Page<Expenses> {
    /// The app as a page; each visitor looks at what they want.
    ///
    /// - Parameter canReport: Whether a report of what happened is offered.
    /// - Returns: The page.
    /// - Throws: The parser's error when a template has a mistake.
    public static func expenses(canReport: Bool = false) throws -> Page<Expenses> {
        try Page(
            title: "Expenses", templates: templates(),
            accepts: [LedgerAction.self, UndoAction.self],
            beside: VisitorState(Look()) { (look: inout Look, action: LookAction) in
                look.apply(action)
            }
        ) { app, reader, look in
            let newest = reader.value(of: newestMonth)
            let byMonth = reader.value(of: ExpensesCore.byMonth)
            let spent = reader.value(of: byCategory(newest))
            let rows = reader.value(of: found(look.query))
            let budgets = Category.allCases.map {
                BudgetView($0, spent: spent[$0], budget: app.ledger.budgets[$0])
            }
            let shown = rows.prefix(look.rows)
            return [
                Fragment("steps", model: StepsView(app.undo)),
                Fragment("summary", model: SummaryView(byMonth, newest: newest)),
                Fragment("budgets", template: "budget", rows: budgets),
                Fragment("entry", model: EntryView(isEmpty: newest == nil)),
                Fragment(
                    "filter",
                    model: FilterView(
                        look.query, months: byMonth.keys.sorted(by: >), count: rows.count,
                        total: reader.value(of: foundTotal(look.query)))),
                Fragment("expenses", template: "expense", rows: shown.map(ExpenseView.init)),
                Fragment("more", model: MoreView(shown: shown.count, of: rows.count)),
                Fragment("report", model: ReportView(canReport: canReport)),
                Fragment("notice", model: NoticeView(text: app.notice?.text)),
            ]
        }
        .admitting(LedgerAction.self) { action, _, app in
            problem(of: action, in: app).map { .refuse($0, field: wrongField(of: action)) }
                ?? .dispatch(action)
        }
    }

    private static func templates() throws -> MustacheLibrary {
        let sources = [
            "layout": PackageResources.layout_mustache, "steps": PackageResources.steps_mustache,
            "summary": PackageResources.summary_mustache,
            "budget": PackageResources.budget_mustache, "entry": PackageResources.entry_mustache,
            "filter": PackageResources.filter_mustache,
            "expense": PackageResources.expense_mustache, "more": PackageResources.more_mustache,
            "report": PackageResources.report_mustache,
            "notice": PackageResources.notice_mustache,
        ]
        return MustacheLibrary(
            templates: try sources.mapValues {
                try MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
    }
}
