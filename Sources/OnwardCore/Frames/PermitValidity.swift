// SPDX-License-Identifier: MIT

internal import Synchronization

/// Until when a permit holds: until it is ended, and no longer than the one around it.
package struct PermitValidity: ~Copyable, Sendable {
    private let outer: (any DispatchPermit)?
    private let ended = Atomic(false)

    package init(within outer: (any DispatchPermit)?) {
        self.outer = outer
    }

    package var isOver: Bool {
        ended.load(ordering: .acquiring) || (outer?.isOver ?? false)
    }

    package func end() {
        ended.store(true, ordering: .releasing)
    }
}
