// SPDX-License-Identifier: MIT

public import Onward
import OnwardJournal
public import OnwardServer
public import ToDoCore
public import ToDoSync

extension PageServer<ToDo> {
    /// The app on a web server: one store per visitor.
    ///
    /// - Parameters:
    ///   - server: Where the list is kept.
    ///   - unsent: Where what isn't sent yet lasts from launch to launch; nowhere if nil.
    ///   - reports: What records the sessions, so that users can report a problem; nil for no such button.
    ///   - store: What all stores take from their surroundings.
    ///   - onOpen: Called with each store before anything happens in it.
    ///   - options: Where to serve the app.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func toDo(
        on server: some TaskServer, keeping unsent: UnsentFolder? = nil,
        reports: ListReports? = nil, store: StoreOptions = StoreOptions(),
        onOpen: @escaping @Sendable (Store<ToDo>) -> Void = { _ in },
        options: ServerOptions = ServerOptions()
    ) throws -> PageServer<ToDo> {
        let open = {
            @Sendable
            (visitor: VisitorID, isNew: Bool, requests: AnsweredRequests) -> Store<ToDo>? in
            let saved = unsent?.changes(of: visitor, requests)
            // A file that cannot be read now stays for the next visit.
            let changes = isNew ? nil : saved.flatMap { unsent?.load($0) }
            guard isNew || changes != nil else { return nil }
            let opened = Store(ToDo(unsent: changes ?? []), options: store) {
                ToDoCore.toDo(on: server, keeping: saved)
            }
            reports?.record(opened, of: visitor)
            onOpen(opened)
            return opened
        }
        return PageServer(
            try .toDo(canReport: reports != nil),
            hosting: .returningVisitor(
                limit: 100, idle: .seconds(3_600), lifetime: .seconds(30 * 86_400), open: open),
            assets: [
                Asset(
                    path: "/page.css", contentType: "text/css; charset=utf-8",
                    bytes: PackageResources.page_css),
                Asset(
                    path: "/todo.js", contentType: "text/javascript; charset=utf-8",
                    bytes: PackageResources.todo_js),
                drawing("/icon.svg", PackageResources.icon_svg),
                drawing("/check.svg", PackageResources.check_svg),
                drawing("/delete.svg", PackageResources.delete_svg),
                drawing("/undo.svg", PackageResources.undo_svg),
                drawing("/update.svg", PackageResources.update_svg),
            ],
            folders: reports.map { [$0.files] } ?? [],
            options: options)
    }

    private static func drawing(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: bytes)
    }
}
