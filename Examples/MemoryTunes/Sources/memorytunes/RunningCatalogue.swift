// SPDX-License-Identifier: MIT

import Hummingbird
import Logging
import OfflineCatalogue
import ServiceLifecycle
import TunesService

/// The offline catalogue while it is served.
struct RunningCatalogue {
    /// Where it is.
    let address: WebAddress
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    /// Starts it at any free port of loopback, and returns once it answers.
    ///
    /// - Throws: The system's error when there is no port.
    static func start(logger: Logger) async throws -> RunningCatalogue {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = OfflineService(logger: logger).application { port.yield($0) }
        let group = ServiceGroup(services: [application], logger: logger)
        let task = Task {
            defer { port.finish() }
            try await group.run()
        }
        for await port in ports {
            guard let address = WebAddress("http://127.0.0.1:\(port)") else { break }
            return RunningCatalogue(address: address, group: group, task: task)
        }
        try await task.value
        throw Refusal(description: "The offline catalogue ended before it began.")
    }

    /// Ends it.
    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await task.result
    }
}
