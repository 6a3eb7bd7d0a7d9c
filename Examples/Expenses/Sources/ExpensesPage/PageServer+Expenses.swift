// SPDX-License-Identifier: MIT

public import ExpensesCore
public import OnwardServer

extension PageServer<Expenses> {
    /// The app on a web server: one ledger for all who come.
    ///
    /// - Parameters:
    ///   - hosting: The store, or where it is kept.
    ///   - options: Where to serve the app.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func expenses(
        hosting: Hosting<Expenses>, options: ServerOptions = ServerOptions()
    ) throws -> PageServer<Expenses> {
        PageServer(
            try .expenses(), hosting: hosting,
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
            options: options)
    }
}
