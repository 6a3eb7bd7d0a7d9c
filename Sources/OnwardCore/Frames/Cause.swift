// SPDX-License-Identifier: MIT

/// A chain of dispatches that answer each other: what all of them have in common, and near a limit, for
/// the report, the last actions, newest first.
package final class Cause: Sendable {
    /// Nil at the beginning of the chain.
    let action: (any Action)?
    let earlier: Cause?
    let loop: Loop

    /// What is counted about a chain with all its branches.
    ///
    /// Guarded by the store's lock.
    final class Loop: @unchecked Sendable {
        /// How many answers to answers there were.
        var answers = 0
        /// Whether it was reported that it does not end.
        var isReported = false
    }

    /// The beginning of a chain.
    init() {
        action = nil
        earlier = nil
        loop = Loop()
    }

    init(_ action: any Action, after earlier: Cause) {
        self.action = action
        self.earlier = earlier
        loop = earlier.loop
    }

    /// The names of the newest actions without repetition, oldest first.
    func names(_ count: Int) -> [String] {
        var names: [String] = []
        var next: Cause? = self
        var left = count
        while let cause = next, left > 0 {
            if let name = cause.action?.wireName, !names.contains(name) { names.append(name) }
            next = cause.earlier
            left -= 1
        }
        return names.reversed()
    }
}
