// SPDX-License-Identifier: MIT

/// A chain of dispatches that answer each other: what all of them have in common, and near a limit, for
/// the report, the last actions, newest first.
///
/// `@unchecked Sendable`: immutable except for `answers` and `isReported`, which the store's lock guards.
package final class DispatchChain: @unchecked Sendable {
    private enum Place {
        case beginning
        case link(any Action, earlier: DispatchChain, beginning: DispatchChain)
    }

    private let place: Place
    /// How many answers to answers there were; of a beginning, and guarded by the store's lock.
    var answers = 0
    /// Whether it was reported that it does not end; of a beginning, and guarded by the store's lock.
    var isReported = false

    /// The beginning of a chain.
    init() {
        place = .beginning
    }

    init(_ action: any Action, after earlier: DispatchChain) {
        place = .link(action, earlier: earlier, beginning: earlier.loop)
    }

    /// The beginning of the chain, where it is counted with all its branches.
    var loop: DispatchChain {
        switch place {
        case .beginning: self
        case .link(_, earlier: _, let beginning): beginning
        }
    }

    /// The names of the newest actions without repetition, oldest first.
    func names(_ count: Int) -> [String] {
        var names: [String] = []
        var next: DispatchChain? = self
        var left = count
        while case .link(let action, let earlier, _)? = next?.place, left > 0 {
            let name = action.wireName
            if !names.contains(name) { names.append(name) }
            next = earlier
            left -= 1
        }
        return names.reversed()
    }
}
