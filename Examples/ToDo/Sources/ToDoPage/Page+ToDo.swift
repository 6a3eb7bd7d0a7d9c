// SPDX-License-Identifier: MIT

import Mustache
import Onward
import OnwardJournal
import OnwardNavigation
public import OnwardServer
public import ToDoCore
import ToDoSync

extension Page<ToDo> {
    /// The app as a page: the list, and beside or over it one task.
    ///
    /// - Parameter canReport: Whether users can report a problem.
    /// - Returns: The page.
    /// - Throws: The parser's error when a template has a mistake.
    public static func toDo(canReport: Bool = false) throws -> Page<ToDo> {
        try Page(
            tabs: \.routing, codec: Screen.codec, title: { $0.title }, templates: templates(),
            accepts: [
                ListAction.self, SelectionAction.self, NavigationAction<Screen>.self,
                UndoAction.self,
            ],
            isThere: { app, screen in
                // A list that isn't loaded may have it.
                guard case .task = screen, app.list.isLoaded else { return true }
                return app.selection(at: screen) != nil
            }
        ) { app, routes in
            let list = ListView(app, at: routes)
            return [
                Fragment("top", model: TopView(app)),
                Fragment("search", model: SearchView(list)),
                Fragment("unsent", model: UnsentView(app.list)),
                Fragment("stage", model: StageView(app, list)),
                Fragment("tasks", template: "task", rows: list.rows),
                Fragment("more", model: MoreView(list)),
                Fragment("report", model: ReportView(canReport: canReport)),
                Fragment("detail", model: DetailView(app, at: routes)),
                Fragment("date", model: DateView(app, at: routes)),
                Fragment("alert", model: AlertView(app.alert)),
                Fragment("news", model: NewsView(app, list)),
            ]
        }
    }

    private static func templates() throws -> MustacheLibrary {
        let sources = [
            "layout": PackageResources.layout_mustache, "top": PackageResources.top_mustache,
            "search": PackageResources.search_mustache,
            "unsent": PackageResources.unsent_mustache, "stage": PackageResources.stage_mustache,
            "task": PackageResources.task_mustache, "more": PackageResources.more_mustache,
            "report": PackageResources.report_mustache,
            "detail": PackageResources.detail_mustache, "date": PackageResources.date_mustache,
            "alert": PackageResources.alert_mustache, "news": PackageResources.news_mustache,
        ]
        return MustacheLibrary(
            templates: try sources.mapValues {
                try MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
    }
}

extension Screen {
    /// The document's title.
    fileprivate var title: String {
        switch self {
        case .list: "To-do"
        case .new: "New task – To-do"
        case .task: "Task – To-do"
        case .notFound: "Nothing here – To-do"
        }
    }

    /// Where a screen is.
    var url: String { Self.codec.text(of: self) ?? "/" }
}
