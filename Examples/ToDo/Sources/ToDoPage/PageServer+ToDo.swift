// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal
public import OnwardServer
public import ToDoCore
public import ToDoSync

extension PageServer<ToDo> {
    /// The app on a web server: one store per visitor.
    ///
    /// - Parameters:
    ///   - server: Where the list is kept.
    ///   - unsent: Where what isn't sent yet lasts from launch to launch; nowhere if nil.
    ///   - journals: Where the whole app lasts, step by step, in place of that.
    ///   - reports: What records the sessions, so that users can report a problem; nil for no such button.
    ///   - store: What all stores take from their surroundings.
    ///   - onOpen: Called with each store before anything happens in it.
    ///   - options: Where to serve the app.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func toDo(
        on server: some TaskServer, keeping unsent: UnsentFolder? = nil,
        in journals: (any Journals)? = nil, reports: ListReports? = nil,
        store: StoreOptions = StoreOptions(),
        onOpen: @escaping @Sendable (Store<ToDo>) -> Void = { _ in },
        options: ServerOptions = ServerOptions()
    ) throws -> PageServer<ToDo> {
        let open = {
            @Sendable
            (visitor: VisitorID, isNew: Bool, requests: ProcessedRequests) -> Store<ToDo>? in
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
        let restore = { @Sendable (visitor: VisitorID, journal: any Journal) async throws in
            var options = PersistenceOptions<ToDo>()
            options.recording.snapshotSpacing = 1_000
            options.retention = .newest(1_000)
            let kept = try await Persistence(
                of: ToDo(), in: journal, options: options, storeOptions: store
            ) { ToDoCore.toDo(on: server) }
            reports?.record(kept.store, of: visitor)
            onOpen(kept.store)
            return kept
        }
        let (limit, idle, lifetime) = (100, Duration.seconds(3_600), Duration.seconds(2_592_000))
        let hosting: Hosting<ToDo> =
            if let journals {
                .returningVisitor(
                    limit: limit, idle: idle, lifetime: lifetime, in: journals, open: restore)
            } else {
                .returningVisitor(limit: limit, idle: idle, lifetime: lifetime, open: open)
            }
        return PageServer(
            try .toDo(canReport: reports != nil),
            hosting: hosting,
            assets: .look + [
                Asset(
                    path: "/todo.js", contentType: "text/javascript; charset=utf-8",
                    bytes: PackageResources.todo_js)
            ],
            folders: reports.map { [$0.files] } ?? [],
            options: options)
    }
}

extension [Asset] {
    /// What pages of tasks look like.
    static var look: [Asset] {
        [
            Asset(
                path: "/page.css", contentType: "text/css; charset=utf-8",
                bytes: PackageResources.page_css),
            drawing("/icon.svg", PackageResources.icon_svg),
            drawing("/check.svg", PackageResources.check_svg),
            drawing("/delete.svg", PackageResources.delete_svg),
            drawing("/undo.svg", PackageResources.undo_svg),
            drawing("/update.svg", PackageResources.update_svg),
        ]
    }

    private static func drawing(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: bytes)
    }
}
