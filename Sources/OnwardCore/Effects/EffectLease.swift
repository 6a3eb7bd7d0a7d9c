// SPDX-License-Identifier: MIT

import Synchronization

/// The right of an effect to dispatch, until it ends; it holds no longer than the one around it.
package final class EffectLease: Sendable {
    private let outer: EffectLease?
    private let ended = Atomic(false)

    init(within outer: EffectLease? = nil) {
        self.outer = outer
    }

    var isOver: Bool {
        ended.load(ordering: .acquiring) || (outer?.isOver ?? false)
    }

    func end() {
        ended.store(true, ordering: .releasing)
    }
}
