// SPDX-License-Identifier: MIT

package import Hummingbird
import Logging

extension Router where Context == BasicRequestContext {
    /// Serves the routes on a free port of this machine, and says which it is.
    package func serve() async throws {
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let application = Application(
            router: self, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { Orders.answer("listening \($0.localAddress?.port ?? 0)") },
            logger: logger)
        try await application.run()
    }
}
