// SPDX-License-Identifier: MIT

import ArgumentParser
import Logging
import Mustache
import Onward
import OnwardServer
import Processes

/// The server's process, which takes ``Orders`` and commits every 50 ms.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument var streams: Int
    @Option var rows = 0

    func run() async throws {
        try Machine.allowOpenFiles(3 * streams + 256)
        let store = Store(Count(rows: rows)) {
            Reduce { (count: inout Count, action: CountAction) in count.apply(action) }
        }
        var options = ServerOptions(port: 0)
        // Of which streams may have three quarters.
        options.limits.connections = 2 * streams + 128
        options.limits.connectionsPerAddress = 2 * streams + 128
        options.limits.streams = streams + 8
        options.limits.streamsPerAddress = streams + 8
        options.logger.logLevel = .error
        options.onListening = { Orders.answer("listening \($0)") }
        Orders.obey(spacing: 50_000_000) { _ in
            store.dispatch(CountAction.tick)
            return Int(store.log.version)
        }
        try await PageServer(.count(), hosting: .shared(store), options: options).run()
    }
}

/// What the page shows.
private struct Count: Sendable {
    struct Row: Identifiable, Equatable, Sendable {
        let id: Int
        var title: String
    }

    private(set) var ticks = 0
    private(set) var rows: [Row]

    init(rows: Int) { self.rows = (0..<rows).map { Row(id: $0, title: "Row \($0)") } }

    mutating func apply(_ action: CountAction) {
        switch action {
        case .tick: ticks += 1
        case .rename(let row, let title): if rows.indices.contains(row) { rows[row].title = title }
        }
    }
}

private enum CountAction: Action, Codable {
    case tick
    case rename(row: Int, title: String)
}

private struct CountView: Equatable { let ticks: Int }

extension Page<Count> {
    /// A heading, a button, the count, and rows if there are any.
    fileprivate static func count() throws -> Page<Count> {
        var templates = MustacheLibrary()
        try templates.register(
            """
            <h1>S1</h1>
            <form method="post" data-action>{{> onward/form}}
            <button name="type" value="CountAction/tick">Count</button></form>
            """, named: "title")
        try templates.register("<p>The store has committed {{ticks}} times.</p>", named: "count")
        try templates.register(
            """
            <li {{> onward/row}}><form method="post" data-action><input name="t" value="{{title}}">\
            <button>{{title}}</button></form></li>
            """, named: "row")
        return try Page(title: "S1", templates: templates, accepts: [CountAction.self]) { count in
            let fragments = [
                Fragment("title", model: CountView(ticks: 0)),
                Fragment("count", model: CountView(ticks: count.ticks)),
            ]
            return count.rows.isEmpty ? fragments : fragments + [Fragment("row", rows: count.rows)]
        }
    }
}
