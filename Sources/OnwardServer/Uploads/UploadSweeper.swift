// SPDX-License-Identifier: MIT
#if Server

import ServiceLifecycle

/// Removes files that nobody took in time, until the server stops.
struct UploadSweeper: Service {
    let options: ServerOptions

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await options.clock.sleep(for: options.heartbeat)) != nil {
                options.uploads?.removeExpired()
            }
        }
    }
}
#endif
