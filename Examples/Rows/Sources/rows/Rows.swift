// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import Onward
import OnwardInspector
import OnwardServer

/// Serves the list until it is interrupted.
@main struct Rows: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "A long list in the browser, of which only what changes is sent.")

    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(help: "The number of rows at the beginning.")
    var count = 1_000

    @Option(help: "A port for time travel through the list, at 127.0.0.1; 0 takes any free one.")
    var inspector: UInt16?

    @Option(help: "How many actions a second happen by themselves.")
    var storm = 0

    func run() async throws {
        let store = Store(RowList(count: count)) {
            Reduce { (list: inout RowList, action: RowAction) in list.apply(action) }
        }
        var options = ServerOptions(port: Int(port))
        options.logger.logLevel = .warning
        options.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        let server = PageServer(try .rowList(), hosting: .shared(store), options: options)
        async let _: Void = brew(in: store)
        guard let inspector else { return try await server.run() }
        let page = Inspector()
        page.attach(store, as: "rows")
        try await page.run(at: Int(inspector), beside: server) { address in
            print("inspector \(address)")
            fflush(nil)
        }
    }

    /// Counts rows up, one after the other, as often as is asked for.
    private func brew(in store: Store<RowList>) async {
        guard storm > 0, count > 0 else { return }
        let clock = ContinuousClock()
        let start = clock.now
        var number = 0
        while !Task.isCancelled {
            // A few at a time, as timers are not that fine.
            let due = Int(start.duration(to: clock.now) / .seconds(1) * Double(storm))
            while number < due {
                store.dispatch(RowAction.count(id: number % count))
                number += 1
            }
            try? await clock.sleep(for: .milliseconds(5))
        }
    }
}
