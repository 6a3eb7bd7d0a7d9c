// SPDX-License-Identifier: MIT

import ArgumentParser
import Dispatch
import Foundation
import Logging
import Mustache
import Onward
import OnwardServer

/// The server's process: takes orders from its standard input and ends with it.
///
/// | order | answer |
/// |---|---|
/// | (none) | `listening PORT` |
/// | `memory` | `memory BYTES` |
/// | `commit COUNT` | `commit VERSION NANOSECONDS` for each, 50 ms apart |
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument var streams: Int

    private struct Count: Sendable { var ticks = 0 }
    private struct Tick: Action {}
    private struct CountView: Equatable { let ticks: Int }

    func run() async throws {
        try Machine.allowOpenFiles(2 * streams + 256)
        let store = Store(Count()) {
            Reduce { (count: inout Count, _: Tick) in count.ticks += 1 }
        }
        var templates = MustacheLibrary()
        try templates.register("<h1>S1</h1>", named: "title")
        try templates.register("<p>The store has committed {{ticks}} times.</p>", named: "count")
        let page = try Page<Count>(title: "S1", templates: templates, accepts: []) { count in
            [
                Fragment("title", model: CountView(ticks: 0)),
                Fragment("count", model: CountView(ticks: count.ticks)),
            ]
        }
        var options = ServerOptions(port: 0)
        options.limits.connections = streams + 32
        options.limits.connectionsPerAddress = streams + 32
        options.limits.streams = streams + 8
        options.limits.streamsPerAddress = streams + 8
        options.logger.logLevel = .error
        options.onListening = { Self.answer("listening \($0)") }
        DispatchQueue(label: "orders").async { Self.obey(store) }
        try await PageServer(page, hosting: .shared(store), options: options).run()
    }

    private static func obey(_ store: Store<Count>) {
        while let order = readLine()?.split(separator: " ") {
            if order.first == "memory" {
                answer("memory \(Machine.residentMemory)")
            } else if order.first == "commit", let count = order.last.flatMap({ Int($0) }) {
                commit(count, store)
            }
        }
        // The process that gave the orders has gone.
        exit()
    }

    private static func commit(_ count: Int, _ store: Store<Count>) {
        let start = Machine.now
        for number in 0..<count {
            let due = start + number * 50_000_000
            Machine.sleep(milliseconds: max(0, due - Machine.now) / 1_000_000)
            let now = Machine.now
            store.dispatch(Tick())
            answer("commit \(store.log.version) \(now)")
        }
    }

    private static func answer(_ line: String) {
        // Not by print: flushing waits for the reader of the standard input.
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
