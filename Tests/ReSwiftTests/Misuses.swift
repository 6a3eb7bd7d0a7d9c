// SPDX-License-Identifier: MIT

import Onward
import Synchronization

/// The mistakes that a store reported.
final class Misuses: Sendable {
    private let list = Mutex<[Misuse]>([])

    var all: [Misuse] { list.withLock { $0 } }

    var handler: MisuseHandler {
        MisuseHandler { misuse in self.list.withLock { $0.append(misuse) } }
    }
}
