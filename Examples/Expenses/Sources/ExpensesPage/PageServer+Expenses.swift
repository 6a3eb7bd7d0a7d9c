// SPDX-License-Identifier: MIT

public import ExpensesCore
public import OnwardReports
public import OnwardServer

extension PageServer<Expenses> {
    /// The app on a web server: one ledger for all who come.
    ///
    /// - Parameters:
    ///   - hosting: The store, or where it is kept.
    ///   - report: Makes a report of what happened to the ledger; nil for no such link.
    ///   - options: Where to serve the app.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func expenses(
        hosting: Hosting<Expenses>, report: (@Sendable () async throws -> Report)? = nil,
        options: ServerOptions = ServerOptions()
    ) throws -> PageServer<Expenses> {
        PageServer(
            try .expenses(canReport: report != nil), hosting: hosting,
            assets: [
                Asset(
                    path: "/page.css", contentType: "text/css; charset=utf-8",
                    bytes: PackageResources.page_css),
                Asset(
                    path: "/expenses.js", contentType: "text/javascript; charset=utf-8",
                    bytes: PackageResources.expenses_js),
                Asset(
                    path: "/icon.svg", contentType: "image/svg+xml",
                    bytes: PackageResources.icon_svg),
            ],
            folders: report.map { [.reports($0)] } ?? [],
            options: options)
    }
}
