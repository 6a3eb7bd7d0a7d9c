// SPDX-License-Identifier: MIT

import Synchronization

/// The right of an effect to dispatch, until it ends; it holds no longer than the one around it.
///
/// A scope and a job are such a right themselves.
package class EffectLease: @unchecked Sendable {  // Immutable here, but for what is atomic.
    private let outer: EffectLease?
    private let ended = Atomic(false)

    init(within outer: EffectLease? = nil) {
        self.outer = outer
    }

    final var isOver: Bool {
        ended.load(ordering: .acquiring) || (outer?.isOver ?? false)
    }

    final func end() {
        ended.store(true, ordering: .releasing)
    }
}
