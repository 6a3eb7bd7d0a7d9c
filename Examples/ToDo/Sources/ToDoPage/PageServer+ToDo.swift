// SPDX-License-Identifier: MIT

public import Onward
public import OnwardServer
public import ToDoCore

extension PageServer<ToDo> {
    /// The app on a web server: one store per visitor.
    ///
    /// - Parameters:
    ///   - server: Where the list is kept.
    ///   - store: What all stores take from their surroundings.
    ///   - options: Where to serve the app.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func toDo(
        on server: some TaskServer, store: StoreOptions = StoreOptions(),
        options: ServerOptions = ServerOptions()
    ) throws -> PageServer<ToDo> {
        PageServer(
            try .toDo(),
            hosting: .perVisitor(limit: 100, idle: .seconds(3_600)) {
                Store(ToDo(), options: store) { ToDoCore.toDo(on: server) }
            },
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
            ],
            options: options)
    }

    private static func drawing(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: bytes)
    }
}
