// SPDX-License-Identifier: MIT
#if Server

import Dispatch

/// Blocks the thread until a stream ends, as a file does that can't be read.
func block(until stream: AsyncStream<Void>) {
    let ended = DispatchSemaphore(value: 0)
    Task {
        for await _ in stream {}
        ended.signal()
    }
    ended.wait()
}
#endif
