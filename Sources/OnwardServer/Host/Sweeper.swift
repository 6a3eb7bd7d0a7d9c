// SPDX-License-Identifier: MIT
#if Server

import ServiceLifecycle

/// Sends open streams signs of life and forgets idle visitors, until the server stops.
struct Sweeper<State: Sendable>: Service {
    let visitors: Visitors<State>
    let options: ServerOptions

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await options.clock.sleep(for: options.heartbeat)) != nil {
                await visitors.sweep()
            }
        }
        await visitors.close()
    }
}
#endif
