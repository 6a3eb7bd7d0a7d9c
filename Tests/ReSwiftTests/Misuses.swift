// SPDX-License-Identifier: MIT

import Onward

/// The mistakes that a store reported.
final class Misuses: Sendable {
    private let list = Guarded<[Misuse]>([])

    var all: [Misuse] { list.withValue { $0 } }

    var handler: @Sendable (Misuse) -> Void {
        { misuse in self.list.withValue { $0.append(misuse) } }
    }
}
