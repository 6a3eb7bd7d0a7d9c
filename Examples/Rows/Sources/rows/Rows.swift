// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import Onward
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
        try await PageServer(.rowList(), hosting: .shared(store), options: options).run()
    }
}
