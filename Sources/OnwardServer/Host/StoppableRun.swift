// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import ServiceLifecycle
import UnixSignals

/// Runs a server until a signal, and not much longer.
///
/// Connections are closed at their deadline (``ConnectionDeadlines``). What remains is code of the
/// app that doesn't return; it can't be ended, so nothing waits for it.
struct StoppableRun<Served: ApplicationProtocol>: Sendable {
    private let application: Served
    private let options: ServerOptions
    /// How long after the deadline to wait for the end.
    private static var grace: Duration { .seconds(2) }

    init(_ application: Served, options: ServerOptions) {
        self.application = application
        self.options = options
    }

    func run() async throws {
        let (results, result) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let patience = options.stopDeadline + Self.grace
        // A group stops its last service first.
        let watch = StopWatch {
            Task {
                try? await Task.sleep(for: patience)
                result.yield(.success(()))
            }
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [application, watch], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: options.logger))
        let running = Task {
            do {
                try await group.run()
                result.yield(.success(()))
            } catch {
                result.yield(.failure(error))
            }
        }
        // A separate task waits: a cancelled caller still waits for the end.
        let ended = Task { await results.first { _ in true } }
        let outcome = await withTaskCancellationHandler {
            await ended.value
        } onCancel: {
            running.cancel()
        }
        try outcome?.get()
    }
}

/// Signals when a server should stop.
private struct StopWatch: Service {
    let onStop: @Sendable () -> Void

    func run() async throws {
        try? await gracefulShutdown()
        onStop()
    }
}
#endif
