// SPDX-License-Identifier: MIT

import Observation

@MainActor @Observable final class Counter {
    private(set) var count = 0

    func increment() { count += 1 }
    func decrement() { count -= 1 }
}
